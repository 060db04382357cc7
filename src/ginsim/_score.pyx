# cython: language_level=3
"""Points from facts, and the ledger of a game: boxes, shutout, Hollywood columns, whose deal is next."""
from libc.string cimport memset

from ._core cimport (
    BIG_GINNED, GINNED, KNOCKED, READS_BIG_GIN_BONUS, READS_DOUBLE, READS_GAME, READS_GIN_BONUS,
    READS_SCORES, READS_UNDERCUT_BONUS, READS_UNDERCUT_ON_TIE, VOID, Facts, RuleSet, Stakes, load_rules,
)
from ._core import ENDINGS

OUTCOMES = ("knock", "gin", "big_gin", "undercut", "tie", "void", "cut", "forfeit")


cdef void price(const Facts* f, const RuleSet* rules, Price* out) noexcept nogil:
    """What a hand pays, and to whom."""
    cdef int knocker = f.knocker
    cdef int difference = <int>f.defender_count - <int>f.knocker_count
    out.base = difference
    out.winner = knocker
    out.credit = knocker
    if f.ending == KNOCKED and difference > 0:
        out.outcome = KNOCK_WON
        out.points = difference
    elif f.ending == GINNED:
        out.outcome = GIN
        out.points = rules.gin_bonus + difference
    elif f.ending == BIG_GINNED:
        out.outcome = BIG_GIN_WON
        out.points = rules.big_gin_bonus + difference
    elif f.ending == KNOCKED:
        out.outcome = UNDERCUT if difference < 0 else TIE
        out.base = -difference
        out.points = rules.undercut_bonus - difference
        out.winner = 1 - knocker
        out.credit = 1 - knocker
        if difference == 0 and not rules.undercut_on_tie:
            out.winner = -1
            out.points = 0
    else:
        out.outcome = VOID_HAND if f.ending == VOID else CUT_HAND
        out.base = 0
        out.points = 0
        out.winner = -1
        out.credit = -1
    if f.doubled:
        out.points *= 2


cdef void begin_game(Game* g, const RuleSet* rules, int dealer) noexcept nogil:
    cdef int c
    memset(g, 0, sizeof(Game))
    g.n_columns = rules.columns
    g.dealer = dealer
    for c in range(rules.columns):
        g.columns[c].open = 1
        g.columns[c].closed_by = -1


cdef inline int toward_target(const Column* c, const RuleSet* rules, int seat) noexcept nogil:
    return c.points[seat] + (c.boxes[seat] * rules.box_bonus if rules.box_timing == 1 else 0)


cdef void enter(Game* g, const RuleSet* rules, const Price* p) noexcept nogil:
    """Enter a hand: in every open column where its winner stands already, and in one new one."""
    cdef int c, seat = p.winner
    cdef bint started = False
    cdef Column* column
    g.hands += 1
    if seat < 0:
        g.blanks += 1
        if rules.next_dealer == 0:
            g.dealer = 1 - g.dealer
        return
    for c in range(g.n_columns):
        column = &g.columns[c]
        if not column.open or (column.boxes[seat] == 0 and started):
            continue
        started = started or column.boxes[seat] == 0
        column.points[seat] += p.points
        column.boxes[seat] += 1
        if toward_target(column, rules, seat) >= rules.target:
            column.open = 0
            column.closed_by = seat
    if rules.next_dealer == 1:
        g.dealer = seat
    elif rules.next_dealer == 2:
        g.dealer = 1 - seat
    else:
        g.dealer = 1 - g.dealer


cdef bint game_over(const Game* g) noexcept nogil:
    """All columns are closed."""
    cdef int c
    for c in range(g.n_columns):
        if g.columns[c].open:
            return False
    return True


cdef int grand_total(const Game* g, const RuleSet* rules, int column, int seat) noexcept nogil:
    """A closed column's total for a seat: hand points, boxes, game bonus and shutout."""
    cdef const Column* c = &g.columns[column]
    cdef int total = c.points[seat] + c.boxes[seat] * rules.box_bonus
    if c.closed_by != seat:
        return total
    total += rules.game_bonus
    # Hands without a winner are entered in no Hollywood column, so they can spoil none.
    if c.boxes[1 - seat] == 0 and (g.blanks == 0 or rules.shutout_ties or g.n_columns > 1):
        if rules.shutout == 0:
            total += c.points[seat]
        elif rules.shutout == 1:
            total += rules.shutout_bonus
    return total


cdef int result(const Game* g, const RuleSet* rules) noexcept nogil:
    """Seat 0's grand totals minus seat 1's, over all columns."""
    cdef int c, difference = 0
    for c in range(g.n_columns):
        difference += grand_total(g, rules, c, 0) - grand_total(g, rules, c, 1)
    return difference


cdef void set_stakes(
    Stakes* out, const Game* g, const RuleSet* rules, int seat, int reads, bint doubled
) noexcept nogil:
    """What a policy that declares `reads` sees of scores and scoring knobs. g may be NULL: a single hand."""
    cdef int c
    memset(out, 0, sizeof(Stakes))
    if reads & READS_SCORES and g != NULL:
        for c in range(g.n_columns):
            out.scores[c][0] = toward_target(&g.columns[c], rules, seat)
            out.scores[c][1] = toward_target(&g.columns[c], rules, 1 - seat)
            out.boxes[c][0] = g.columns[c].boxes[seat]
            out.boxes[c][1] = g.columns[c].boxes[1 - seat]
        out.hand_number = g.hands + 1
    if reads & READS_GAME:
        out.target = rules.target
        out.game_bonus = rules.game_bonus
        out.box_bonus = rules.box_bonus
    if reads & READS_GIN_BONUS:
        out.gin_bonus = rules.gin_bonus
    if reads & READS_BIG_GIN_BONUS:
        out.big_gin_bonus = rules.big_gin_bonus
    if reads & READS_UNDERCUT_BONUS:
        out.undercut_bonus = rules.undercut_bonus
    if reads & READS_UNDERCUT_ON_TIE:
        out.undercut_on_tie = rules.undercut_on_tie
    if reads & READS_DOUBLE:
        out.multiplier = 2 if doubled else 1


def price_of(codes, str ending, knocker, knocker_count, defender_count, bint doubled=False):
    """(outcome, winner's seat or None, points) of a hand, from its facts."""
    cdef RuleSet rules
    cdef Facts f
    cdef Price p
    load_rules(&rules, codes)
    memset(&f, 0, sizeof(Facts))
    f.ending = ENDINGS.index(ending)
    f.knocker = knocker or 0
    f.knocker_count = knocker_count or 0
    f.defender_count = defender_count or 0
    f.doubled = doubled
    price(&f, &rules, &p)
    return OUTCOMES[p.outcome], (None if p.winner < 0 else p.winner), p.points


cdef class GameLedger:
    """The score sheet of one game, stepped from Python. Seats 0 and 1; `dealer` deals the next hand."""

    def __init__(self, codes, int dealer=1):
        if dealer not in (0, 1):
            raise ValueError(f"dealer is {dealer}; allowed are 0 and 1")
        load_rules(&self.rules, codes)
        begin_game(&self.game, &self.rules, dealer)

    @property
    def dealer(self):
        return self.game.dealer

    @property
    def hands(self):
        return self.game.hands

    @property
    def over(self):
        """All columns are closed."""
        return bool(game_over(&self.game))

    @property
    def unfinished(self):
        """`max_hands` came first."""
        return not game_over(&self.game) and self.game.hands >= self.rules.max_hands

    def enter(self, winner, int points):
        """Enter a hand: the winner's seat (None: nobody) and the points it pays."""
        cdef Price p
        cdef int seat = -1 if winner is None else winner
        if seat < -1 or seat > 1:
            raise ValueError(f"winner is {winner!r}; allowed are 0, 1 and None")
        memset(&p, 0, sizeof(Price))
        p.winner = seat
        p.points = points
        enter(&self.game, &self.rules, &p)

    def columns(self):
        """A dict a column: points and boxes by seat, open, closed_by, and grand totals once it is closed."""
        return [
            {
                "points": tuple(self.game.columns[c].points),
                "boxes": tuple(self.game.columns[c].boxes),
                "open": bool(self.game.columns[c].open),
                "closed_by": None if self.game.columns[c].closed_by < 0 else self.game.columns[c].closed_by,
                "totals": None if self.game.columns[c].open else tuple(
                    grand_total(&self.game, &self.rules, c, seat) for seat in range(2)
                ),
            }
            for c in range(self.game.n_columns)
        ]

    def difference(self):
        """Seat 0's grand totals minus seat 1's over all columns; None before the game is over."""
        return result(&self.game, &self.rules) if game_over(&self.game) else None

/* A reference bot for ginsim's `exec:` policies: plays exactly as `greedy`, in C11 with its library alone.
 *
 *     cc -O2 -o bot examples/bots/bot.c && ginsim tournament -p exec:./bot -p simple
 *
 * It keeps nothing between questions. The protocol is docs/policies-exec.md. Cards are sets of bits: 16 to a
 * suit (S, H, D, C), of them 13 used, ace to king. ginsim's lines have no escapes within their texts, so that
 * reading one takes a page.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t cards_t;

static const char RANKS[] = "A23456789TJQK", SUITS[] = "SHDC";
static const cards_t ONE_RANK = UINT64_C(0x0001000100010001);

enum { LINE = 1 << 16, MOST_CHOICES = 4096, SUIT = 0x1FFF };

/* ---------------------------------------------------------------- JSON */

static const char *after_text(const char *at) /* at its opening quote */
{
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : at;
}

static const char *after_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *after_value(const char *at)
{
    int depth = 0;
    do {
        if (*at == '"') {
            at = after_text(at);
            continue;
        }
        if (*at == '{' || *at == '[')
            depth++;
        if (*at == '}' || *at == ']')
            depth--;
        at++;
    } while (*at && (depth > 0 || !strchr(",}] \t\r\n", *at)));
    return at;
}

/* The value of an object's field, or an empty string. */
static const char *field(const char *object, const char *name)
{
    size_t length = strlen(name);
    const char *at = after_blanks(object);
    while (*at == '{' || *at == ',') {
        const char *key = after_blanks(at + 1);
        if (*key != '"')
            break;
        const char *value = after_blanks(after_text(key));
        value = after_blanks(*value == ':' ? value + 1 : value);
        if (!strncmp(key + 1, name, length) && key[1 + length] == '"')
            return value;
        at = after_blanks(after_value(value));
    }
    return "";
}

static int is(const char *value, const char *text)
{
    size_t length = strlen(text);
    return value[0] == '"' && !strncmp(value + 1, text, length) && value[1 + length] == '"';
}

/* ---------------------------------------------------------------- cards */

/* The cards of a text such as "7S 7H". */
static cards_t bits(const char *value)
{
    cards_t cards = 0;
    for (const char *at = value; *at++ && *at && *at != '"';) {
        const char *rank = strchr(RANKS, at[0]), *suit = rank && at[1] ? strchr(SUITS, at[1]) : NULL;
        if (suit) {
            cards |= UINT64_C(1) << (16 * (suit - SUITS) + (rank - RANKS));
            at++;
        }
    }
    return cards;
}

static cards_t lowest(cards_t cards)
{
    return cards & (~cards + 1);
}

static cards_t ranks_of(cards_t cards)
{
    return (cards | cards >> 16 | cards >> 32 | cards >> 48) & SUIT;
}

static int position(cards_t card)
{
    int at = 0;
    while (card >>= 1)
        at++;
    return at;
}

/* What the cards count when none of them is melded. */
static int points(cards_t cards)
{
    int sum = 0;
    for (; cards; cards &= cards - 1) {
        int rank = position(lowest(cards)) % 16;
        sum += rank < 9 ? rank + 1 : 10;
    }
    return sum;
}

/* Every set and run in the hand; returns how many. */
static int melds(cards_t hand, cards_t *found)
{
    int n = 0;
    for (cards_t starts = hand & hand >> 1 & hand >> 2; starts; starts &= starts - 1) {
        cards_t start = lowest(starts), run = start * 7;
        found[n++] = run;
        for (cards_t next = start << 3; hand & next; next <<= 1)
            found[n++] = run |= next;
    }
    for (cards_t rank = 1; rank <= SUIT; rank <<= 1) {
        cards_t all = ONE_RANK * rank, held = hand & all;
        if (held == all)
            found[n++] = all;
        for (int suit = 0; suit < 4; suit++) {
            cards_t three = all & ~(rank << 16 * suit);
            if ((held & three) == three)
                found[n++] = three;
        }
    }
    return n;
}

/* What is left outside the melds, for every choice of melds that share no card; returns how many. */
static int loose_cards(cards_t hand, cards_t *choices)
{
    cards_t found[64];
    int n_melds = melds(hand, found), n = 1;
    choices[0] = hand;
    for (int m = 0; m < n_melds; m++)
        for (int i = n - 1; i >= 0; i--)
            if ((choices[i] & found[m]) == found[m] && n < MOST_CHOICES)
                choices[n++] = choices[i] & ~found[m];
    return n;
}

/* The least that the cards outside melds can count. */
static int deadwood(cards_t hand)
{
    static cards_t choices[MOST_CHOICES];
    int n = loose_cards(hand, choices), least = points(hand);
    for (int i = 1; i < n; i++)
        if (points(choices[i]) < least)
            least = points(choices[i]);
    return least;
}

/* The deadwood left after the best discard; of equals the highest rank, then S, H, D, C. */
static int best_discard(cards_t hand, cards_t forbidden, cards_t *best)
{
    static cards_t choices[MOST_CHOICES];
    int n = loose_cards(hand, choices), least = 1000, best_rank = -1;
    for (int i = 0; i < n; i++) {
        cards_t free = choices[i] & ~forbidden;
        if (!free)
            continue;
        int rank = position(ranks_of(free));
        cards_t card = lowest(free & ONE_RANK << rank);
        int left = points(choices[i]) - (rank < 9 ? rank + 1 : 10);
        if (left < least || (left == least && (rank > best_rank || (rank == best_rank && card < *best)))) {
            least = left;
            best_rank = rank;
            *best = card;
        }
    }
    return least;
}

/* ---------------------------------------------------------------- answers */

/* Whether the pile's card lowers the deadwood left after the best discard, or makes gin. */
static int wants_upcard(const char *view)
{
    cards_t hand = bits(field(view, "hand")), upcard = bits(field(view, "upcard")), card;
    int left = best_discard(hand | upcard, upcard, &card);
    return left == 0 || left < deadwood(hand);
}

static int can_declare_with_upcard(const char *view)
{
    cards_t upcard = bits(field(view, "upcard")), card;
    cards_t forbidden = field(view, "discard_taken")[0] == 't' ? 0 : upcard;
    return best_discard(bits(field(view, "hand")) | upcard, forbidden, &card)
        <= atoi(field(view, "knock_limit"));
}

static void answer(const char *view)
{
    const char *question = field(view, "question");
    printf("{\"id\":%ld,\"answer\":", strtol(field(view, "id"), NULL, 10));
    if (is(question, "offer"))
        printf("\"%s\"}\n", wants_upcard(view) ? "take" : "pass");
    else if (is(question, "draw"))
        printf("\"%s\"}\n", wants_upcard(view) ? "pile" : "stock");
    else if (is(question, "last"))
        printf("\"%s\"}\n", can_declare_with_upcard(view) ? "take" : "pass");
    else {
        cards_t hand = bits(field(view, "hand")), card = 0;
        int left = best_discard(hand, bits(field(view, "forbidden")), &card), at = position(card);
        if (left == 0 && field(view, "big_gin")[0] == 't' && deadwood(hand) == 0)
            printf("{\"big_gin\":true}}\n");
        else
            printf("{\"%s\":\"%c%c\"}}\n", left <= atoi(field(view, "knock_limit")) ? "knock" : "discard",
                   RANKS[at % 16], SUITS[at / 16]);
    }
}

/* FNV-1a of this program's file, as it was called: by a path. */
static uint64_t own_hash(const char *path)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "cannot read %s: call this program by its path\n", path);
        exit(1);
    }
    for (int byte; (byte = getc(file)) != EOF;)
        hash = (hash ^ (uint64_t)byte) * UINT64_C(0x100000001b3);
    fclose(file);
    return hash;
}

int main(int argc, char **argv)
{
    static char line[LINE];
    while (argc && fgets(line, sizeof line, stdin)) {
        const char *type = field(line, "type");
        if (is(type, "question"))
            answer(line);
        else if (is(type, "hello"))
            printf("{\"protocol\":1,\"name\":\"greedy-c\",\"version\":\"1\",\"hash\":\"fnv1a-%016llx\"}\n",
                   (unsigned long long)own_hash(argv[0]));
        else if (is(type, "quit"))
            break;
        fflush(stdout);
    }
    return 0;
}

"""Random numbers: Random123's vectors, draws and shuffles without bias, decks that no other deck changes."""

from collections import Counter
from itertools import permutations, product
from math import prod

import numpy as np
import pytest
from scipy.stats import chi2

from ginsim._table import RandomStream, deck_of, philox_block
from ginsim.cards import DECK

CARDS = [card for card in range(64) if DECK >> card & 1]
KEY = 0x9E3779B97F4A7C15

# Lines "philox4x32 10" of tests/kat_vectors in Random123 (https://github.com/DEShawResearch/random123):
# counter, key, result. The last counter and key are digits of pi.
KNOWN_ANSWERS = """
00000000 00000000 00000000 00000000  00000000 00000000  6627e8d5 e169c58d bc57ac4c 9b00dbd8
ffffffff ffffffff ffffffff ffffffff  ffffffff ffffffff  408f276d 41c83b0e a20bc7c6 6d5451fd
243f6a88 85a308d3 13198a2e 03707344  a4093822 299f31d0  d16cfe09 94fdcceb 5001e420 24126ea1
"""


def chi_square_p(observed, expected, freedom):
    statistic = ((np.asarray(observed) - expected) ** 2 / expected).sum()
    return chi2.sf(statistic, freedom)


# ---- the generator


@pytest.mark.parametrize("line", KNOWN_ANSWERS.strip().splitlines())
def test_philox_has_the_known_answers(line):
    words = [int(word, 16) for word in line.split()]
    assert philox_block(words[:4], words[4:6]) == tuple(words[6:])


def test_a_stream_is_the_blocks_of_its_name():
    key, stream, index, part = 0x0123456789ABCDEF, 0xFFFE, 0xABCD_12345678, 0x87654321
    numbers = RandomStream(key, stream, index, part)
    counters = [(block, part, 0x12345678, 0xFFFE_ABCD) for block in range(3)]
    expected = [word for counter in counters for word in philox_block(counter, (0x89ABCDEF, 0x01234567))]
    assert [numbers.word() for _ in expected] == expected


@pytest.mark.parametrize(
    ("name", "value"),
    [("stream", -1), ("stream", 1 << 16), ("index", -1), ("index", 1 << 48), ("part", 1 << 32)],
)
def test_a_stream_has_a_name_within_its_bits(name, value):
    place = {"stream": 0, "index": 0, "part": 0, name: value}
    with pytest.raises(ValueError, match=f"{name} is {value}; allowed is 0 to 2\\*\\*"):
        RandomStream(KEY, **place)


# ---- draws and shuffles: each held against a model, which is tried with every word of a small width


def model_draw(words, n, width):
    """A draw from 0 .. n - 1 and how many words were refused for it; None where the words ran out."""
    for refused, word in enumerate(words):
        if word * n % (1 << width) >= (1 << width) % n:
            return word * n >> width, refused
    return None


def model_draws(words, bounds, width):
    """One draw below each of the bounds, all from one word, and how many words were refused; or None."""
    for refused, word in enumerate(words):
        draws = []
        for bound in bounds:
            draws.append(word * bound >> width)
            word = word * bound % (1 << width)
        if word >= (1 << width) % prod(bounds):
            return tuple(draws), refused
    return None


def model_groups(size, width):
    """The bounds of a shuffle's draws, those together that share a word; few words are refused then."""
    bounds = list(range(size, 1, -1))
    while bounds:
        group = 1
        while group < len(bounds) and prod(bounds[: group + 1]) < 1 << width - 3:
            group += 1
        yield bounds[:group]
        bounds = bounds[group:]


def swapped(draws):
    """The permutation that draws make: each place, from the last, takes one at or before it."""
    places = list(range(len(draws) + 1))
    for last, drawn in zip(reversed(range(1, len(places))), draws, strict=True):
        places[last], places[drawn] = places[drawn], places[last]
    return tuple(places)


def model_shuffle(words, size):
    """A permutation and how many words were refused for it."""
    drawn = [model_draws(words, group, 32) for group in model_groups(size, 32)]
    return swapped([draw for draws, _ in drawn for draw in draws]), sum(refused for _, refused in drawn)


def words_of(stream):
    while True:
        yield stream.word()


@pytest.mark.parametrize("n", [1, 2, 3, 10, 31, 52, 1 << 30, (1 << 30) + 1, 3 << 29, (1 << 31) - 1])
def test_draws_follow_the_model(n):
    stream, words, refused = RandomStream(KEY, 5, n), words_of(RandomStream(KEY, 5, n)), 0
    for _ in range(300):
        drawn, again = model_draw(words, n, 32)
        assert stream.below(n) == drawn
        refused += again
    assert (refused > 50) == ((1 << 32) % n > 1 << 29)


@pytest.mark.parametrize("n", range(1, 129))
def test_draws_have_no_bias(n):
    found = Counter(model_draw([word], n, 8) for word in range(256))
    del found[None]
    assert found == {(drawn, 0): 256 // n for drawn in range(n)}


@pytest.mark.parametrize("size", [*range(1, 16), 51, 52, 53, 100, 255, 256])
def test_shuffles_follow_the_model(size):
    refused = 0
    for index in range(60):
        places, again = model_shuffle(words_of(RandomStream(KEY, 6, index)), size)
        assert tuple(RandomStream(KEY, 6, index).shuffled(size)) == places
        refused += again
    assert refused or size < 51


@pytest.mark.parametrize("size", range(2, 17))
def test_shuffles_have_no_bias(size):
    width = 12
    for bounds in model_groups(size, width):
        found = Counter(model_draws([word], bounds, width) for word in range(1 << width))
        assert found.pop(None, 0) == (1 << width) % prod(bounds)
        every = product(*map(range, bounds))
        assert found == {(draws, 0): (1 << width) // prod(bounds) for draws in every}


@pytest.mark.parametrize("size", range(2, 7))
def test_each_way_to_draw_is_another_permutation(size):
    every = product(*map(range, range(size, 1, -1)))
    assert sorted(map(swapped, every)) == sorted(permutations(range(size)))


@pytest.mark.parametrize("n", [-1, 0, 1 << 31])
def test_a_draw_has_a_bound(n):
    with pytest.raises(ValueError, match=f"n is {n}; allowed is 1 to"):
        RandomStream(KEY, 0, 0).below(n)


@pytest.mark.parametrize("size", [-1, 257])
def test_a_shuffle_has_a_size(size):
    with pytest.raises(ValueError, match=f"size is {size}; allowed is 0 to 256"):
        RandomStream(KEY, 0, 0).shuffled(size)


def test_nothing_is_shuffled():
    assert RandomStream(KEY, 0, 0).shuffled(0) == b""


def test_four_cards_come_in_all_orders_alike():
    n = 48_000
    found = Counter(RandomStream(KEY, 7, index).shuffled(4) for index in range(n))
    assert len(found) == 24
    assert chi_square_p(list(found.values()), n / 24, 23) > 1e-4


# ---- decks


@pytest.fixture(scope="module")
def decks():
    """Shuffled decks as an array of places among `CARDS`, a deck a row."""
    place = bytes(CARDS.index(card) if card in CARDS else 255 for card in range(256))
    dealt = b"".join(bytes(deck_of(KEY, index)) for index in range(200_000))
    return np.frombuffer(dealt.translate(place), dtype=np.uint8).reshape(-1, 52)


def test_each_card_is_as_often_in_each_place(decks):
    n = len(decks)
    found = np.array([np.bincount(decks[:, place], minlength=52) for place in range(52)])
    # Rows and columns all add up to n, so the deviations have 51 x 51 freedoms, each of variance n / 51.
    statistic = ((found - n / 52) ** 2).sum() * 51 / n
    assert 1e-4 < chi2.sf(statistic, 51 * 51) < 1 - 1e-4


@pytest.mark.parametrize(("one", "other"), [(0, 1), (0, 51), (9, 10), (19, 20), (20, 21), (50, 51)])
def test_each_two_cards_are_as_often_in_two_places(decks, one, other):
    pairs = decks[:, one].astype(int) * 52 + decks[:, other]
    found = np.bincount(pairs, minlength=52 * 52).reshape(52, 52)
    assert not found.diagonal().any()
    expected = len(decks) / (52 * 51)
    assert chi_square_p(found[~np.eye(52, dtype=bool)], expected, 52 * 51 - 1) > 1e-4


def test_decks_have_nothing_to_do_with_their_neighbours(decks):
    # Two orders of 52 cards agree in one place on average, with variance one.
    agree = (decks[1:] == decks[:-1]).sum(axis=1)
    assert abs(agree.mean() - 1) < 4 / len(agree) ** 0.5
    hands = np.array([deck_of(KEY, 3, hand_number) for hand_number in range(20_000)])
    agree = (hands[1:] == hands[:-1]).sum(axis=1)
    assert abs(agree.mean() - 1) < 4 / len(agree) ** 0.5


def test_decks_differ_by_key_index_and_hand_number():
    keys, indices, numbers = (0, 1, 1 << 32, KEY), (0, 1, 1 << 32, (1 << 48) - 1), (0, 1, 2, 999)
    dealt = {tuple(deck_of(*name)) for name in product(keys, indices, numbers)}
    assert len(dealt) == 64
    assert all(sorted(deck) == CARDS for deck in dealt)


def test_a_deck_does_not_depend_on_others():
    forwards = [deck_of(KEY, index) for index in range(50)]
    backwards = [deck_of(KEY, index) for index in reversed(range(50))]
    assert forwards == backwards[::-1]
    assert deck_of(KEY, 49) == [CARDS[place] for place in RandomStream(KEY, 0, 49).shuffled(52)]


@pytest.mark.parametrize(("index", "hand_number"), [(-1, 0), (1 << 48, 0), (0, -1), (0, 1 << 32)])
def test_a_deck_that_has_no_name(index, hand_number):
    with pytest.raises(ValueError, match="allowed is 0 to 2\\*\\*"):
        deck_of(KEY, index, hand_number)

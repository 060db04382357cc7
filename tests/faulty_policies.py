"""Policies that are at fault in one way each, for the check that must name it."""

import ctypes
import multiprocessing
import os
import random
import threading
import time

import numpy as np

import ginsim
import ginsim.capi
from ginsim import BatchPolicy
from ginsim._lockstep import view_dtype
from ginsim.policies.batch import KNOCK, highest_cards, one_card


class Sound(ginsim.Policy):
    """The least deadwood, and a knock as soon as it may; nothing is wrong with it."""

    def draw(self, view):
        return "pile" if view.helps(view.upcard) else "stock"

    def take_last(self, view):
        return view.deadwood_with(view.upcard) <= view.knock_limit

    def discard(self, view):
        least, cards = view.best_discards()
        return ginsim.Knock(cards.highest) if least <= view.knock_limit else cards.highest


class IllegalInGinOnly(Sound):
    """Knocks at ten whatever the limit is: illegal under straight alone, or Oklahoma."""

    def discard(self, view):
        least, cards = view.best_discards()
        return ginsim.Knock(cards.highest) if least <= 10 else cards.highest


class Hangs(Sound):
    """Never throws in its third turn."""

    def discard(self, view):
        while view.turn == 3:
            pass
        return super().discard(view)


class IllegalAtLast(Sound):
    """Takes the last discard and does not declare."""

    def discard(self, view):
        return view.best_discards().cards.highest if view.must_declare else super().discard(view)


class IllegalDefence(Sound):
    """Lays everything off that it does not hold in melds."""

    def defend(self, view):
        return [], [view.hand] if view.shown else []


class RaisesWithSpades(Sound):
    """Fails only where points count double."""

    reads = ("double",)

    def begin(self, view):
        if view.stakes["multiplier"] == 2:
            raise KeyError("spades")


class RaisesInGames(Sound):
    """Fails only where a game has a score."""

    reads = ("scores",)

    def draw(self, view):
        return "pile" if 1 // (1 - (view.stakes["hand_number"] > 3)) > 1 else "stock"


class Nonsense(Sound):
    def draw(self, view):
        return "perhaps"


class Leaves(Sound):
    def discard(self, view):
        raise SystemExit(3)


class Remembers(Sound):
    """Counts its hands, and plays otherwise from the fourth on."""

    def __init__(self):
        self.hands = 0

    def begin(self, view):
        self.hands += 1

    def discard(self, view):
        return super().discard(view) if self.hands < 4 else view.throwable.cards[0]


class RemembersInItsClass(Sound):
    """As `Remembers`, but for all objects together."""

    hands = 0

    def begin(self, view):
        RemembersInItsClass.hands += 1

    def discard(self, view):
        return super().discard(view) if self.hands % 7 else view.throwable.cards[0]


class FromASet(Sound):
    """The first of a set of texts: another one in each process."""

    def discard(self, view):
        return super().discard(view) if view.must_declare else next(iter(set(view.throwable)))


class FromHash(Sound):
    def draw(self, view):
        return "pile" if hash(view.upcard) % 2 else "stock"


class FromTheClock(Sound):
    def draw(self, view):
        return "pile" if time.perf_counter_ns() // 64 % 2 else "stock"


class FromRandom(Sound):
    def draw(self, view):
        return random.choice(["pile", "stock"])


class ChangesItsView(Sound):
    def discard(self, view):
        view.hand_mask = 0
        return super().discard(view)


class ChangesTheClass(Sound):
    """Makes every view of everybody say something else."""

    def begin(self, view):
        type(view).__mro__[-3].said = "by me"


class ReadsWhatItDoesNotDeclare(Sound):
    reads = ("gin_bonus",)

    def draw(self, view):
        return "pile" if view.stakes["gin_bonus"] and view.stakes["scores"] else "stock"


class NotInAnotherProcess(Sound):
    def __init__(self):
        if multiprocessing.parent_process() is not None:
            raise RuntimeError("only where it was born")


class OtherInAnotherProcess(Sound):
    def draw(self, view):
        return "stock" if multiprocessing.parent_process() is None else "pile"


class EndsItsProcess(Sound):
    def begin(self, view):
        if multiprocessing.parent_process() is not None:
            os._exit(7)


class EndsUnderAHashSeed(Sound):
    def begin(self, view):
        if os.environ.get("PYTHONHASHSEED") == "1":
            os._exit(7)


class EndsAtOnce(Sound):
    """As if all were well."""

    def discard(self, view):
        os._exit(0)


class EndsAsItIsMade(Sound):
    def __init__(self):
        os._exit(0)


class Crashes(Sound):
    def discard(self, view):
        ctypes.string_at(0)


class HoldsTheLock(Sound):
    """In C, and nobody else in the process gets to run."""

    def discard(self, view):
        return sum(range(10**12))


class Sleeps(Sound):
    def discard(self, view):
        time.sleep(1000)


class Interrupts(Sound):
    def discard(self, view):
        raise KeyboardInterrupt


class LeavesAThread(Sound):
    """Sound, but for a thread that goes on."""

    def __init__(self):
        threading.Thread(target=time.sleep, args=(1000,)).start()


class NotMade(Sound):
    def __init__(self):
        raise KeyError("weights")


class SoundBatch(BatchPolicy):
    def discard(self, views):
        left, best = ginsim.best_discards_array(views["hand"], one_card(views["forbidden"]))
        cards = highest_cards(best)
        return np.where(left <= views["knock_limit"], cards | KNOCK, cards)


class Crowd(SoundBatch):
    """Takes the pile's card in the first half of its rows."""

    def draw(self, views):
        return np.arange(len(views)) < len(views) // 2


class DeclaredCrowd(Crowd):
    row_by_row = False


class BatchRemembers(SoundBatch):
    row_by_row = False

    def __init__(self):
        self.calls = 0

    def draw(self, views):
        self.calls += 1
        return np.full(len(views), self.calls > 100)


class BatchIllegal(SoundBatch):
    """Throws the forbidden card."""

    def draw(self, views):
        return np.ones(len(views), dtype=bool)

    def discard(self, views):
        return highest_cards(views["hand"])


class BatchWrites(SoundBatch):
    def draw(self, views):
        views["stock"] = 0
        return np.zeros(len(views), dtype=bool)


class BatchForces(SoundBatch):
    """Makes its views writable, and writes."""

    def draw(self, views):
        base = views.base
        while base.base is not None:
            base = base.base
        base.flags.writeable = True
        base["stock"] = 0
        base.flags.writeable = False
        return np.zeros(len(views), dtype=bool)


_kept = []


def c_function(answer):
    """A C function of Python's, kept as long as the module."""
    function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(answer)
    _kept.append(function)
    return function


def _view(address):
    return np.frombuffer((ctypes.c_char * view_dtype.itemsize).from_address(address), dtype=view_dtype)[0]


def _throw(view, memory, rng):
    seen = _view(view)
    left, best = ginsim.best_discards_array(np.array([seen["hand"]]), one_card(np.array([seen["forbidden"]])))
    card = int(highest_cards(best)[0])
    return card | KNOCK if left[0] <= seen["knock_limit"] else card


def sound_functions():
    """Of C functions, and sound."""
    return ginsim.capi.policy(discard=c_function(_throw))


def _peek_and_write(view, memory, rng):
    _view(view)["known"] |= np.uint64(1)
    return 0


def writing_functions():
    """Writes into its view, which is the core's own."""
    return ginsim.capi.policy(discard=c_function(_throw), draw=c_function(_peek_and_write))

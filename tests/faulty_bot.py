"""A program for `exec:` that plays legally but for one thing, named by its first argument."""

import json
import os
import signal
import sys
import time

RANKS, SUITS = "A23456789TJQK", "SHDC"
FAIR = ("none", "stderr", "ignore quit", "child")  # what they do is elsewhere


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def legal(view):
    """Passes, draws from the stock and throws the first card that it may."""
    words = {"offer": "pass", "draw": "stock", "last": "pass", "spread": {"spread": []}}
    if view["question"] == "defend":
        return {"defend": [], "lay_off": [""] * len(view["shown"])}
    if view["question"] == "discard":
        return {"discard": next(card for card in view["hand"].split() if card != view["forbidden"])}
    return words[view["question"]]


def not_held(view):
    return next(rank + suit for suit in SUITS for rank in RANKS if rank + suit not in view["hand"])


def wrong(mode, view):
    """Does what the mode names; returns the answer where there is one."""
    if mode == "hang":
        for path in sys.argv[4:]:  # tell that it is asked
            open(path, "w").close()
        time.sleep(60)
    elif mode == "die":
        print("no more cards", file=sys.stderr)
        sys.exit(3)
    elif mode == "killed":
        os.kill(os.getpid(), signal.SIGTERM)
    elif mode == "exit half way":
        raw(b'{"id": ')
        sys.exit(0)
    elif mode == "hang half way":
        raw(b'{"id": ')
        time.sleep(60)
    elif mode == "close stdout":
        os.close(1)
        time.sleep(60)
    elif mode == "close stdin":
        say({"id": view["id"], "answer": legal(view)})
        os.close(0)
        time.sleep(60)
    elif mode == "garbage":
        raw(b"I discard the ten of spades\n")
    elif mode == "binary":
        raw(b"\x00\xff\xfe\x80\n")
    elif mode == "deep":
        raw(b"[" * 60_000 + b"\n")
    elif mode == "list":
        raw(b"[1, 2]\n")
    elif mode == "empty":
        raw(b"\n")
    elif mode == "huge":
        raw(b"x" * 1_000_000)
    elif mode == "flood":
        while True:
            raw(b'{"id": 1, "answer": "pass"}\n' * 1000)
    elif mode == "wrong id":
        say({"id": view["id"] + 1, "answer": legal(view)})
    elif mode == "true id":
        say({"id": True, "answer": legal(view)})
    elif mode == "no id":
        say({"answer": legal(view)})
    elif mode == "more fields":
        say({"id": view["id"], "answer": legal(view), "why": "it is best"})
    elif mode == "twice":
        say({"id": view["id"], "answer": legal(view)})
        say({"id": view["id"], "answer": legal(view)})
    elif mode == "no answer":
        say({"id": view["id"], "reply": legal(view)})
    else:
        say({"id": view["id"], "answer": legal(view) if mode in FAIR else answer(mode, view)})


def answer(mode, view):
    """A wrong answer in the right form."""
    return {
        "word": "perhaps",
        "answer list": ["pass"],
        "no card": {"discard": "1S"},
        "two cards": {"discard": "TS JS"},
        "card number": {"discard": 7},
        "not held": {"discard": not_held(view)},
        "knock too high": {"knock": view["hand"].split()[-1]},
        "big gin": {"big_gin": True},
        "big gin false": {"big_gin": False},
        "two words": {"discard": view["hand"][:2], "knock": view["hand"][:2]},
        "spread text": {"spread": "7S 7H 7D"},
        "spread cards": {"spread": ["7S 7S 7D"]},
        "spread word": {"melds": []},
        "spread four": {"spread": ["AS", "2S", "3S", "4S"]},
        "lay off": {"defend": [], "lay_off": []},
        "defend word": {"defend": []},
    }[mode]


def main():
    mode = sys.argv[1]
    question, extra = sys.argv[2], json.loads(sys.argv[3])
    if mode == "ignore quit":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if mode == "child":
        import subprocess  # many of these are started, and this takes half their start

        subprocess.Popen(
            [
                sys.executable,
                "-c",
                "import sys, time; f = open(sys.argv[1], 'w'); time.sleep(60)",
                sys.argv[4],
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            if question == "hello":
                wrong(mode, message)
            else:
                say({"protocol": 1, "name": "faulty", "version": "1", "hash": "0"} | extra)
        elif message["type"] == "question":
            if mode == "stderr":
                print("thinking " * 100_000, file=sys.stderr)
            if message["question"] == question:
                wrong(mode, message)
            else:
                say({"id": message["id"], "answer": legal(message)})
        elif message["type"] == "quit" and mode != "ignore quit":
            return
    while mode == "ignore quit":
        time.sleep(60)


if __name__ == "__main__":
    main()

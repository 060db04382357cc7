// A reference bot for ginsim's `exec:` policies: plays exactly as `greedy`, with Node's own modules alone.
//
//     ginsim tournament -p "exec:node examples/bots/bot.js" -p simple
//
// It keeps nothing between questions. The protocol is docs/policies-exec.md. Cards are sets of bits: 16 to a
// suit (S, H, D, C), of them 13 used, ace to king.
"use strict";

const { createHash } = require("node:crypto");
const { readFileSync } = require("node:fs");
const { createInterface } = require("node:readline");

const RANKS = "A23456789TJQK";
const SUITS = "SHDC";
const ONE_RANK = 0x0001_0001_0001_0001n;
const SUIT = 0x1fffn;

const BITS = new Map();
for (let s = 0; s < 4; s++) {
  for (let r = 0; r < 13; r++) BITS.set(RANKS[r] + SUITS[s], 1n << BigInt(16 * s + r));
}
const CARDS = new Map([...BITS].map(([card, bit]) => [bit, card]));

let POINTS = [0]; // by the bits of a suit
for (const value of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]) {
  POINTS = POINTS.concat(POINTS.map((points) => value + points));
}

/** The cards of a text such as "7S 7H". */
function bits(text) {
  let cards = 0n;
  for (const card of text.match(/\S+/g) ?? []) cards |= BITS.get(card);
  return cards;
}

/** The bits of the four suits as numbers. */
function suits(cards) {
  return [cards & SUIT, (cards >> 16n) & SUIT, (cards >> 32n) & SUIT, cards >> 48n].map(Number);
}

/** What the cards count when none of them is melded. */
function points(cards) {
  return suits(cards).reduce((sum, suit) => sum + POINTS[suit], 0);
}

/** Every set and run in the hand. */
function melds(hand) {
  const found = [];
  for (let starts = hand & (hand >> 1n) & (hand >> 2n); starts; starts &= starts - 1n) {
    const start = starts & -starts;
    let run = start * 7n;
    found.push(run);
    for (let next = start << 3n; hand & next; next <<= 1n) {
      run |= next;
      found.push(run);
    }
  }
  const [s, h, d, c] = suits(hand);
  for (let ranks = (s & h & (d | c)) | (d & c & (s | h)); ranks; ranks &= ranks - 1) {
    const rank = BigInt(ranks & -ranks);
    const cards = hand & (ONE_RANK * rank);
    found.push(cards);
    if (cards === ONE_RANK * rank) {
      for (let suit = 0n; suit < 4n; suit++) found.push(cards ^ (rank << (16n * suit)));
    }
  }
  return found;
}

/** What is left outside the melds, for every choice of melds that share no card. */
function looseCards(hand) {
  const choices = [hand];
  for (const meld of melds(hand)) {
    for (const loose of choices.slice()) {
      if ((loose & meld) === meld) choices.push(loose ^ meld);
    }
  }
  return choices;
}

/** The least that the cards outside melds can count. */
function deadwood(hand) {
  return Math.min(...looseCards(hand).map(points));
}

function isBetter(a, b) {
  if (a.left !== b.left) return a.left < b.left;
  return a.rank === b.rank ? a.card < b.card : a.rank > b.rank;
}

/** The discard that leaves least deadwood; of equals the highest rank, then S, H, D, C. */
function bestDiscard(hand, forbidden) {
  let best = null;
  for (const loose of looseCards(hand)) {
    const [s, h, d, c] = suits(loose & ~forbidden);
    if (!(s | h | d | c)) continue;
    const rank = 31 - Math.clz32(s | h | d | c);
    const sameRank = loose & ~forbidden & (ONE_RANK << BigInt(rank));
    const left = points(loose) - Math.min(rank + 1, 10);
    const choice = { left, rank, card: sameRank & -sameRank };
    if (best === null || isBetter(choice, best)) best = choice;
  }
  return best;
}

/** Whether the pile's card lowers the deadwood left after the best discard, or makes gin. */
function wantsUpcard(view) {
  const hand = bits(view.hand);
  const upcard = bits(view.upcard);
  const { left } = bestDiscard(hand | upcard, upcard);
  return left === 0 || left < deadwood(hand);
}

const ANSWERS = {
  offer: (view) => (wantsUpcard(view) ? "take" : "pass"),
  draw: (view) => (wantsUpcard(view) ? "pile" : "stock"),
  last(view) {
    const upcard = bits(view.upcard);
    const { left } = bestDiscard(bits(view.hand) | upcard, view.discard_taken ? 0n : upcard);
    return left <= view.knock_limit ? "take" : "pass";
  },
  discard(view) {
    const hand = bits(view.hand);
    const { left, card } = bestDiscard(hand, bits(view.forbidden));
    if (left === 0 && view.big_gin && deadwood(hand) === 0) return { big_gin: true };
    return { [left <= view.knock_limit ? "knock" : "discard"]: CARDS.get(card) };
  },
};

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "question") {
    say({ id: message.id, answer: ANSWERS[message.question](message) });
  } else if (message.type === "hello") {
    const hash = createHash("sha256").update(readFileSync(__filename)).digest("hex");
    say({ protocol: 1, name: "greedy-js", version: "1", hash });
  } else if (message.type === "quit") {
    process.exit(0);
  }
});

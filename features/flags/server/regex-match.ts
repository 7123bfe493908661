import { LRUCache } from 'lru-cache';
import {
  asSdkMakesIt,
  parseRegex,
  takenClasses,
  unitClasses,
  type Part,
  type Range,
} from './regex-syntax.ts';

/** The steps left in one evaluation, some ten nanoseconds each; below zero nothing more is decided. */
export type Work = { left: number };

/** Whether the pattern is found in the text; null if the work limit is reached before that is decided. */
export type RegexTest = (text: string, work: Work) => boolean | null;

/** The limit for the states of an expression with its repetitions written out. */
const mostStates = 5_000;

const found = 0;
/** `forward` matches the unit after the place; `backward`, in a lookbehind, the unit before it. */
const forward = 1;
const backward = 2;
const either = 3;
const look = 4;
const start = 5;
const end = 6;
const boundary = 7;
const noBoundary = 8;

/** A lookahead or lookbehind; its states are numbered from `from` up to, but without, `to`. */
type Look = { entry: number; from: number; to: number; negated: boolean };

/** A pattern as states, each with a number. */
export type Program = {
  /** The kind of each state, such as `forward`. */
  kinds: number[];
  /** The state that follows each state. */
  next: number[];
  /** Depends on the kind: the second state of `either`, or the index of the table of units or of the look. */
  more: number[];
  tables: Uint8Array[];
  looks: Look[];
  entry: number;
  /** True: the pattern can match only at the start of the text. */
  anchored: boolean;
  classes: readonly number[];
};

class TooManyStates extends Error {}

/**
 * Prepares a pattern of `$regex` or `$regexi`. JavaScript's own engine backtracks, at worst exponentially in
 * the text's length. Here each state is tried at most once at each place, so for every pattern the time is at
 * most the product of states and places. The result is the same: without backreferences, whether there is a
 * match does not depend on the order of trying.
 *
 * @returns null if the pattern is not a regular expression; `unbounded` if rules may not use it, because of
 *   backreferences or too many repetitions
 */
export function prepareRegex(pattern: string, insensitive: boolean): RegexTest | 'unbounded' | null {
  const key = `${insensitive ? 'i' : ''}/${pattern}`;
  const known = prepared.get(key);
  if (known !== undefined) return known.test;
  const test = prepare(pattern, insensitive);
  prepared.set(key, { test });
  return test;
}

/** A cache, since a change of one flag prepares the patterns of all flags again. */
const prepared = new LRUCache<string, { test: RegexTest | 'unbounded' | null }>({ max: 500 });

function prepare(pattern: string, insensitive: boolean): RegexTest | 'unbounded' | null {
  let expression: RegExp;
  try {
    expression = asSdkMakesIt(pattern, insensitive);
  } catch {
    return null;
  }
  const alternatives = parseRegex(expression);
  const program = typeof alternatives === 'string' ? null : programOf(alternatives);
  if (program === null) return 'unbounded';
  return (text, work) => {
    const answer = isFound(program, text, work);
    return work.left < 0 ? null : answer;
  };
}

/** Writes out the states of a pattern; null if there are too many. */
export function programOf(alternatives: readonly Part[][]): Program | null {
  try {
    return written(alternatives);
  } catch (error) {
    if (error instanceof TooManyStates) return null;
    throw error;
  }
}

function written(alternatives: readonly Part[][]): Program {
  const classes = unitClasses(alternatives);
  const [kinds, next, more]: number[][] = [[], [], []];
  const tables: Uint8Array[] = [];
  const tableOf = new Map<readonly Range[], number>();
  const looks: Look[] = [];

  function add(kind: number, then: number, other = 0): number {
    if (kinds!.length >= mostStates) throw new TooManyStates();
    more!.push(other);
    next!.push(then);
    return kinds!.push(kind) - 1;
  }

  // Each of these functions answers the state to begin with; `then` is the state that follows.
  function oneOf(choices: readonly Part[][], then: number, back: boolean): number {
    const [first = then, ...others] = choices.map((sequence) => inOrder(sequence, then, back));
    return others.reduce((before, other) => add(either, before, other), first);
  }

  function inOrder(sequence: readonly Part[], then: number, back: boolean): number {
    const fromLast = back ? sequence : sequence.toReversed();
    return fromLast.reduce((behind, part) => repeated(part, behind, back), then);
  }

  function repeated(part: Part, then: number, back: boolean): number {
    let entry = then;
    if (part.most === Infinity) {
      entry = add(either, then, then);
      next![entry] = once(part, entry, back);
    } else {
      for (let time = part.least; time < part.most; time += 1)
        entry = add(either, once(part, entry, back), then);
    }
    for (let time = 0; time < part.least; time += 1) entry = once(part, entry, back);
    return entry;
  }

  function once(part: Part, then: number, back: boolean): number {
    switch (part.kind) {
      case 'unit': {
        const table = tableOf.get(part.ranges) ?? tables.push(takenClasses(part.ranges, classes)) - 1;
        tableOf.set(part.ranges, table);
        return add(back ? backward : forward, then, table);
      }
      case 'group':
        return oneOf(part.alternatives, then, back);
      case 'look': {
        const from = kinds!.length;
        const entry = oneOf(part.alternatives, add(found, 0), part.behind);
        const { negated } = part;
        return add(look, then, looks.push({ entry, from, to: kinds!.length, negated }) - 1);
      }
      case 'boundary':
        return add(part.negated ? noBoundary : boundary, then);
      case 'start':
        return add(start, then);
      case 'end':
        return add(end, then);
    }
  }

  const entry = oneOf(alternatives, add(found, 0), false);
  const anchored = alternatives.every(([part]) => part?.kind === 'start');
  return { kinds: kinds!, next: next!, more: more!, tables, looks, entry, anchored, classes };
}

/** Whether a state of this kind matches a unit. */
export function consumes(kind: number): boolean {
  return kind === forward || kind === backward;
}

/** Whether a state of this kind ends the pattern. */
export function ends(kind: number): boolean {
  return kind === found;
}

/** The states that follow a state that matches no unit. */
export function nextOf(kind: number, next: number, more: number): number[] {
  if (kind === found) return [];
  return kind === either ? [next, more] : [next];
}

function isFound(program: Program, text: string, work: Work): boolean {
  const { kinds, next, more, tables, looks, classes } = program;
  const places = text.length + 1;
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = classOf(text.charCodeAt(at), classes);
  const answers = looks.map(() => new Int8Array(places));
  const triedIn: (Uint32Array | null)[] = looks.map(() => null);
  // The preparation costs as much as some hundred steps.
  work.left -= 300 + places * (looks.length + 1);

  function noneTried(states: number): Uint32Array {
    const words = Math.ceil((states * places) / 32);
    work.left -= words >>> 3;
    return new Uint32Array(words);
  }

  /** Whether a state leads to `found` from a place; states that failed at a place are not tried there again. */
  function leads(first: number, place: number, tried: Uint32Array, from: number, to: number): boolean {
    const count = to - from;
    const open = [first, place];
    while (open.length > 0) {
      let at = open.pop()!;
      let state = open.pop()!;
      for (;;) {
        const bit = at * count + state - from;
        const mask = 1 << (bit & 31);
        if ((tried[bit >>> 5]! & mask) !== 0) break;
        tried[bit >>> 5]! |= mask;
        work.left -= 1;
        if (work.left < 0) return false;
        const kind = kinds[state]!;
        if (kind === forward) {
          if (at === text.length || tables[more[state]!]![units[at]!] === 0) break;
          at += 1;
        } else if (kind === either) open.push(more[state]!, at);
        else if (kind === found) return true;
        else if (kind === backward) {
          if (at === 0 || tables[more[state]!]![units[at - 1]!] === 0) break;
          at -= 1;
        } else if (kind === look) {
          if (!looksLike(more[state]!, at)) break;
        } else if (!holds(kind, text, at)) break;
        state = next[state]!;
      }
    }
    return false;
  }

  function looksLike(which: number, at: number): boolean {
    const known = answers[which]!;
    const { entry, from, to, negated } = looks[which]!;
    if (known[at] === 0) {
      const tried = (triedIn[which] ??= noneTried(to - from));
      work.left -= 10;
      known[at] = leads(entry, at, tried, from, to) ? 1 : -1;
      // States on the way to `found` are marked as tried too, so the marks cannot be used again.
      if (known[at] === 1) triedIn[which] = null;
    }
    return (known[at] === 1) !== negated;
  }

  const tried = noneTried(kinds.length);
  const last = program.anchored ? 0 : text.length;
  for (let place = 0; place <= last && work.left >= 0; place += 1)
    if (leads(program.entry, place, tried, 0, kinds.length)) return true;
  return false;
}

function holds(kind: number, text: string, at: number): boolean {
  if (kind === start) return at === 0;
  if (kind === end) return at === text.length;
  return (isWord(text, at - 1) === isWord(text, at)) === (kind === noBoundary);
}

/** Whether the unit at a place matches `\w` without the flag `u`. */
function isWord(text: string, at: number): boolean {
  const unit = at < 0 || at >= text.length ? 0 : text.charCodeAt(at);
  if (unit < 0x41) return unit >= 0x30 && unit <= 0x39;
  return unit <= 0x5a || unit === 0x5f || (unit >= 0x61 && unit <= 0x7a);
}

/** The index of the class that contains a unit: the last class that begins with the unit or before it. */
function classOf(unit: number, classes: readonly number[]): number {
  let low = 0;
  let high = classes.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (classes[middle]! <= unit) low = middle;
    else high = middle - 1;
  }
  return low;
}

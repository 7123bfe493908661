import { consumes, ends, nextOf, programOf, type Program } from './regex-match.ts';
import { asSdkMakesIt, parseRegex, takenClasses, unitClasses, type Part } from './regex-syntax.ts';

/**
 * Finds regular expressions of rules for which some text takes exponentially long. Portico's own evaluation is
 * not affected (`regex-match.ts`). With a plain key, SDKs evaluate the expression in browsers and other servers
 * with JavaScript's engine, which backtracks (CWE-1333).
 */

const longestPattern = 500;
/** The limit, as an exponent of two, for the ways through optional parts that could match the same text. */
const mostChoices = 5;
/** A repetition of up to this many times counts as a choice, not as unbounded. */
const fewTimes = 10;
/** The most copies of a part with a fixed count; more do not change whether a text divides in several ways. */
const mostCopies = 4;
const mostWays = 2 ** mostChoices;
/** The limit for pairs of states in the comparison of a group's alternatives. */
const mostComparisons = 10_000;
/** The limit for pairs of states in the search for loops; an expression with more is refused. */
const mostSteps = 150_000;

/** The problem with a pattern of `$regex` or `$regexi`, or null. */
export function regexProblem(
  pattern: string,
): { code: 'format' | 'too_big' | 'expensive'; message: string } | null {
  if (pattern.length > longestPattern) {
    return { code: 'too_big', message: `must have at most ${longestPattern} characters` };
  }
  for (const insensitive of [false, true]) {
    let expression: RegExp;
    try {
      expression = asSdkMakesIt(pattern, insensitive);
    } catch {
      return { code: 'format', message: 'is not a regular expression' };
    }
    const alternatives = parseRegex(expression);
    if (typeof alternatives === 'string') return { code: 'expensive', message: alternatives };
    const program = programOf(alternatives) && programOf(alternatives.map((each) => each.map(simplified)));
    if (program === null) return { code: 'expensive', message: 'repeats its parts too often' };
    if (mostChoices < choicesIn(alternatives) || isAmbiguousInLoop(program)) {
      return {
        code: 'expensive',
        message: 'can take very long: a repetition inside a repetition could divide a text in many ways',
      };
    }
  }
  return null;
}

/** Replaces counted repetitions in a part by few or unbounded ones, so that there are few states. */
function simplified(part: Part): Part {
  const inner = 'alternatives' in part ? part.alternatives.map((each) => each.map(simplified)) : [];
  const unbounded =
    part.most - part.least > fewTimes || (part.most > 1 && part.most !== part.least && hasLoop(inner));
  const counted = part.most > 1 && hasLoop(inner);
  const least = Math.min(part.least, mostCopies);
  const most = unbounded || counted ? Infinity : least + part.most - part.least;
  return 'alternatives' in part ? { ...part, alternatives: inner, least, most } : { ...part, least, most };
}

function hasLoop(alternatives: readonly Part[][]): boolean {
  return alternatives
    .flat()
    .some((part) => part.most === Infinity || ('alternatives' in part && hasLoop(part.alternatives)));
}

/**
 * Whether one text leads from a state back to itself in two ways (exponential ambiguity; Weber and Seidl, "On the
 * degree of ambiguity of finite automata", 1991). A pair of states stands for two ways that have matched the same
 * text; the search is for a cycle of pairs whose states are equal, then different, then equal again.
 */
function isAmbiguousInLoop(program: Program): boolean {
  const states = program.kinds.flatMap((kind, state) => (consumes(kind) ? [state] : []));
  const follows = new Map(states.map((state) => [state, waysOn(program, program.next[state]!)]));
  const taken = (state: number): Uint8Array => program.tables[program.more[state]!]!;
  const loops = circles(states, (state) => [...follows.get(state)!.keys()]);
  let steps = 0;

  const overlapping = new Map<number, boolean>();
  function bothTake(one: number, other: number): boolean {
    if (taken(one) === taken(other)) return true;
    const key = program.more[one]! * 65_536 + program.more[other]!;
    const known =
      overlapping.get(key) ?? taken(one).some((bit, index) => bit === 1 && taken(other)[index] === 1);
    overlapping.set(key, known);
    return known;
  }

  for (const loop of loops) {
    const inLoop = new Set(loop);
    const onward = new Map(
      loop.map((state) => [state, [...follows.get(state)!].filter(([next]) => inLoop.has(next))]),
    );
    if (loop.some((state) => onward.get(state)!.some(([, ways]) => ways > 1))) return true;
    const size = program.kinds.length;
    const pairsAfter = (pair: number): number[] => {
      const found: number[] = [];
      for (const [one] of onward.get(Math.floor(pair / size))!) {
        for (const [other] of onward.get(pair % size)!) {
          steps += 1;
          if (steps > mostSteps) return [];
          if (bothTake(one, other)) found.push(Math.min(one, other) * size + Math.max(one, other));
        }
      }
      return found;
    };
    const pairs = circles(
      loop.map((state) => state * size + state),
      pairsAfter,
    );
    const isEqual = (pair: number) => Math.floor(pair / size) === pair % size;
    if (steps > mostSteps || pairs.some((circle) => circle.some(isEqual) && !circle.every(isEqual)))
      return true;
  }
  return false;
}

/** The states that can match the next unit, each with the number of ways that lead to it, at most two. */
function waysOn({ kinds, next, more }: Program, from: number): Map<number, number> {
  const ways = new Map<number, number>();
  const passed = new Map<number, number>();
  const open = [from];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const kind = kinds[state]!;
    if (consumes(kind)) ways.set(state, Math.min(2, (ways.get(state) ?? 0) + 1));
    else {
      // A state is passed up to twice, since leaving a loop and entering it again is another way than staying in it.
      const times = passed.get(state) ?? 0;
      passed.set(state, times + 1);
      if (times >= 2) continue;
      open.push(...nextOf(kind, next[state]!, more[state]!));
    }
  }
  return ways;
}

/** Strongly connected components (Tarjan) that are reachable from the given nodes and contain a cycle. */
function circles(starts: readonly number[], after: (node: number) => readonly number[]): number[][] {
  const found: number[][] = [];
  const order = new Map<number, number>();
  const lowest = new Map<number, number>();
  const held: number[] = [];
  const isHeld = new Set<number>();
  for (const start of starts) {
    if (order.has(start)) continue;
    const path: { node: number; next: readonly number[]; at: number }[] = [];
    const enter = (node: number): void => {
      order.set(node, order.size);
      lowest.set(node, order.size - 1);
      held.push(node);
      isHeld.add(node);
      path.push({ node, next: after(node), at: 0 });
    };
    enter(start);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const other = step.next[step.at];
      step.at += 1;
      if (other !== undefined) {
        if (!order.has(other)) enter(other);
        else if (isHeld.has(other))
          lowest.set(step.node, Math.min(lowest.get(step.node)!, order.get(other)!));
        continue;
      }
      path.pop();
      const before = path.at(-1);
      if (before !== undefined)
        lowest.set(before.node, Math.min(lowest.get(before.node)!, lowest.get(step.node)!));
      if (lowest.get(step.node) !== order.get(step.node)) continue;
      const circle = held.splice(held.lastIndexOf(step.node));
      for (const node of circle) isHeld.delete(node);
      if (circle.length > 1 || step.next.includes(step.node)) found.push(circle);
    }
  }
  return found;
}

/** For each class of units: 1 if a part can begin with it. */
type Beginning = Uint8Array;

/** How much optional parts that could match each other's text multiply the ways, as an exponent of two. */
function choicesIn(pattern: readonly Part[][]): number {
  const classes = unitClasses(pattern);
  const known = new Map<unknown, Beginning>();

  /** @param after what may follow the sequence */
  function ofSequence(sequence: readonly Part[], after: readonly Beginning[]): number {
    return sequence.reduce((choices, part, index) => {
      const rest = sequence.slice(index + 1);
      const next = [...beginnings(rest), ...(rest.every(mayBeEmpty) ? after : [])];
      const own = beginnings([{ ...part, least: 1 }]);
      let added = 0;
      if (part.kind === 'group' || part.kind === 'look') {
        const follows = part.kind === 'look' ? [] : [...(part.most > 1 ? own : []), ...next];
        const times = part.most === Infinity ? 1 : part.most;
        const inner = Math.max(0, ...part.alternatives.map((each) => ofSequence(each, follows)));
        added += times * (inner + Math.log2(waysThrough(part.alternatives)));
      }
      const isChoice = part.least !== part.most && part.most <= fewTimes;
      if (isChoice && own.some((one) => next.some((other) => overlap(one, other))))
        added += Math.log2(part.most - part.least + 1);
      return choices + added;
    }, 0);
  }

  /** The units that a sequence may begin with, including those after parts that may be empty. */
  function beginnings(sequence: readonly Part[]): Beginning[] {
    const found: Beginning[] = [];
    for (const part of sequence) {
      if (part.kind === 'group') found.push(...part.alternatives.flatMap(beginnings));
      if (part.kind === 'unit') {
        const taken = known.get(part.ranges) ?? takenClasses(part.ranges, classes);
        known.set(part.ranges, taken);
        found.push(taken);
      }
      if (!mayBeEmpty(part)) break;
    }
    return found;
  }

  return Math.max(...pattern.map((sequence) => ofSequence(sequence, [])));
}

/** An upper bound for the alternatives that match the same text; the number of all if the comparison takes long. */
function waysThrough(alternatives: readonly Part[][]): number {
  const program = alternatives.length === 1 ? null : programOf(alternatives);
  if (program === null) return alternatives.length;
  const { kinds, next, more, tables } = program;
  const size = kinds.length;
  const known = new Map<number, number[]>();
  let steps = 0;

  function waitingAt(state: number): number[] {
    const before = known.get(state);
    if (before !== undefined) return before;
    const found = waiting(program!, state);
    known.set(state, found);
    return found;
  }

  function areAlike(one: number, other: number): boolean {
    const pairs = new Set([one * size + other]);
    for (const pair of pairs) {
      const [left, right] = [waitingAt(Math.floor(pair / size)), waitingAt(pair % size)];
      steps += left.length * right.length;
      if (steps > mostComparisons || [...left, ...right].some((state) => ends(kinds[state]!))) return true;
      for (const first of left)
        for (const second of right)
          if (overlap(tables[more[first]!]!, tables[more[second]!]!))
            pairs.add(next[first]! * size + next[second]!);
    }
    return false;
  }

  const entries: number[] = [];
  let state = program.entry;
  for (let place = alternatives.length - 1; place > 0; place -= 1) {
    entries.push(more[state]!);
    state = next[state]!;
  }
  entries.push(state);
  const ways = entries.map(() => 1);
  for (const [place, one] of entries.entries())
    for (let other = 0; other < place && Math.max(ways[place]!, ways[other]!) <= mostWays; other += 1)
      if (areAlike(one, entries[other]!)) {
        ways[place]! += 1;
        ways[other]! += 1;
      }
  return steps > mostComparisons ? alternatives.length : Math.max(...ways);
}

/** The states that are reached without matching a unit, and that match a unit or end the pattern. */
function waiting({ kinds, next, more }: Program, from: number): number[] {
  const passed = new Set([from]);
  for (const state of passed)
    if (!consumes(kinds[state]!))
      for (const other of nextOf(kinds[state]!, next[state]!, more[state]!)) passed.add(other);
  return [...passed].filter((state) => consumes(kinds[state]!) || ends(kinds[state]!));
}

function mayBeEmpty(part: Part): boolean {
  if (part.kind === 'unit') return part.least === 0;
  if (part.kind !== 'group' || part.least === 0) return true;
  return part.alternatives.some((alternative) => alternative.every(mayBeEmpty));
}

function overlap(one: Beginning, other: Beginning): boolean {
  return one.some((taken, index) => taken === 1 && other[index] === 1);
}

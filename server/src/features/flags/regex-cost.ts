/**
 * Whether a regular expression of a rule can be made to take long by the text that it is tried on. The text comes from
 * whoever holds a client key, and a slow match holds up everybody (CWE-1333).
 *
 * JavaScript backtracks, so the cost is estimated from the places where one text can be divided in several ways: a
 * repetition followed by something that it could have taken itself. Inside another repetition the ways multiply with
 * the length of the text (refused); one after the other they raise the power of the length (bounded).
 */

/** A 1 for each character of the alphabet that is taken. */
type Characters = Uint8Array;

/** What something can begin with: characters, or a position, which can fail without taking any. */
type Beginning = Characters | 'position';

type Part = { least: number; most: number } & (
  | { kind: 'character'; characters: Characters }
  /** What it may be, each a sequence. */
  | { kind: 'group'; alternatives: Part[][] }
  | { kind: 'start' }
  /** `$`, `\b`, a look around and what it looks for: takes nothing. */
  | { kind: 'position'; alternatives: Part[][] }
);

type Cost = {
  /** Ways to get behind it, as a power of the length of the text. */
  ways: number;
  /** Steps, as a power of the length: each way is gone on from. */
  power: number;
  /** What optional parts multiply the ways by, as a power of two. */
  choices: number;
  /** The same text can be divided in several ways. */
  divided: boolean;
  /** So inside a repetition. */
  exponential: boolean;
};

const longestPattern = 500;
/** With texts of at most `longestTriedText` characters a match then stays within some milliseconds. */
const highestPower = 2;
const mostChoices = 5;
/** A repetition up to this often is counted as a choice, not as unbounded. */
const fewTimes = 10;

/** Texts longer than this are not evaluated against regular expressions; UTF-16 units. */
export const longestTriedText = 2_048;

/** What is wrong with a pattern, as `$regex` and `$regexi` take it, or null. */
export function regexProblem(
  pattern: string,
): { code: 'format' | 'too_big' | 'expensive'; message: string } | null {
  if (pattern.length > longestPattern) {
    return { code: 'too_big', message: `must have at most ${longestPattern} characters` };
  }
  try {
    // As the SDK makes it.
    void new RegExp(pattern.replace(/([^\\])\//g, '$1\\/'));
  } catch {
    return { code: 'format', message: 'is not a regular expression' };
  }
  const parsed = parse(pattern);
  if (parsed === null) return { code: 'expensive', message: 'must not refer back to a group' };
  const cost = costOfEither(parsed, []);
  if (cost.exponential || cost.choices > mostChoices) {
    return {
      code: 'expensive',
      message: 'can take very long: a repetition inside a repetition could divide a text in many ways',
    };
  }
  const anchored = parsed.every((sequence) => sequence[0]?.kind === 'start');
  const power = (anchored ? 0 : 1) + cost.power;
  if (power > highestPower) {
    return {
      code: 'expensive',
      message: 'can take long: begin it with ^, or use fewer * and +, or several conditions',
    };
  }
  return null;
}

/** The cost of a sequence, where `after` is what may follow it. */
function costOf(sequence: readonly Part[], after: readonly Beginning[]): Cost {
  const cost: Cost = { ways: 0, power: 0, choices: 0, divided: false, exponential: false };
  sequence.forEach((part, index) => {
    const rest = sequence.slice(index + 1);
    const next = [...beginnings(rest), ...(rest.every(mayBeEmpty) ? after : [])];
    const own = beginnings([{ ...part, least: 1 }]);
    const waysBefore = cost.ways;
    if (part.kind === 'group' || part.kind === 'position') {
      const follows = part.kind === 'position' ? [] : [...(part.most > 1 ? own : []), ...next];
      const inner = costOfEither(part.alternatives, follows);
      cost.power = Math.max(cost.power, waysBefore + inner.power);
      // However often a part is repeated, where it ends says how it was divided, or it is refused.
      cost.ways += part.most > fewTimes ? 0 : inner.ways;
      cost.choices += inner.choices;
      // What looks around reads the same text once more.
      cost.divided ||= inner.divided || (part.kind === 'position' && inner.power > 0);
      cost.exponential ||=
        inner.exponential || (part.most > 1 && (inner.divided || alternativesOverlap(part.alternatives)));
    }
    if (part.least === part.most) return;
    const divided = own.some((one) => next.some((other) => overlap(one, other)));
    cost.divided ||= divided;
    if (part.most > fewTimes) {
      cost.power = Math.max(cost.power, waysBefore + 1);
      // What can fail right behind a repetition (`.*$`) is tried at each of its lengths.
      if (divided || next.includes('position')) cost.ways += 1;
    } else if (divided) {
      cost.choices += Math.log2(part.most - part.least + 1);
    }
  });
  return cost;
}

function costOfEither(alternatives: readonly Part[][], after: readonly Beginning[]): Cost {
  const costs = alternatives.map((sequence) => costOf(sequence, after));
  return {
    ways: Math.max(0, ...costs.map((cost) => cost.ways)),
    power: Math.max(0, ...costs.map((cost) => cost.power)),
    choices: Math.max(0, ...costs.map((cost) => cost.choices)),
    divided: costs.some((cost) => cost.divided),
    exponential: costs.some((cost) => cost.exponential),
  };
}

/** What a sequence may begin with, past the parts that may be empty. */
function beginnings(sequence: readonly Part[]): Beginning[] {
  const found: Beginning[] = [];
  for (const part of sequence) {
    if (part.kind === 'group') found.push(...part.alternatives.flatMap(beginnings));
    if (part.kind === 'character') found.push(part.characters);
    if (part.kind === 'position') found.push('position');
    if (!mayBeEmpty(part)) break;
  }
  return found;
}

function mayBeEmpty(part: Part): boolean {
  if (part.kind === 'start' || part.kind === 'position' || part.least === 0) return true;
  return part.kind === 'group' && part.alternatives.some((alternative) => alternative.every(mayBeEmpty));
}

function alternativesOverlap(alternatives: readonly Part[][]): boolean {
  if (alternatives.length > 1 && alternatives.some((alternative) => alternative.every(mayBeEmpty)))
    return true;
  const starts = alternatives.map(beginnings);
  return starts.some((one, index) =>
    starts.slice(index + 1).some((other) => one.some((a) => other.some((b) => overlap(a, b)))),
  );
}

function overlap(one: Beginning, other: Beginning): boolean {
  return (
    one !== 'position' &&
    other !== 'position' &&
    one.some((taken, index) => taken === 1 && other[index] === 1)
  );
}

const alphabet = [
  ...Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)),
  '\u0130',
  '\u017f',
  '\u2028',
  '\u212a',
  '\u4e00',
  '\ud83d',
];

function charactersOf(source: string): Uint8Array {
  const takes = new RegExp(`^(?:${source})$`, 'i');
  return Uint8Array.from(alphabet, (character) => (takes.test(character) ? 1 : 0));
}

const atom = /^(?:\\c[A-Za-z]|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\[^]|\[(?:\\[^]|[^\]\\])*\]|[^])/;
const groupOpening = /^\((?:\?(?:<[A-Za-z_$][\w$]*>|[a-z]*(?:-[a-z]+)?:|<?[=!]))?/;
const repetition = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/;

/** The pattern as a tree; null where it refers back to a group. The pattern is known to be valid. */
function parse(pattern: string): Part[][] | null {
  let at = 0;
  let refersBack = false;

  function take(expression: RegExp): RegExpExecArray | null {
    const match = expression.exec(pattern.slice(at));
    at += match?.[0].length ?? 0;
    return match;
  }

  function either(): Part[][] {
    const alternatives: Part[][] = [[]];
    while (at < pattern.length && pattern[at] !== ')') {
      if (pattern[at] === '|') {
        at += 1;
        alternatives.push([]);
      } else {
        alternatives.at(-1)?.push(repeated(one()));
      }
    }
    return alternatives;
  }

  function one(): Part {
    const opening = take(groupOpening);
    if (opening !== null) {
      const alternatives = either();
      at += 1;
      return /[=!]$/.test(opening[0])
        ? { kind: 'position', alternatives, least: 1, most: 1 }
        : { kind: 'group', alternatives, least: 1, most: 1 };
    }
    const source = take(atom)?.[0] ?? '';
    refersBack ||= /^\\[1-9k]/.test(source);
    if (source === '^') return { kind: 'start', least: 1, most: 1 };
    if (source === '$' || /^\\[bB]$/.test(source))
      return { kind: 'position', alternatives: [], least: 1, most: 1 };
    const plain = /^[/{}\]]$/.test(source) ? `\\${source}` : source;
    return { kind: 'character', characters: charactersOf(plain), least: 1, most: 1 };
  }

  function repeated(part: Part): Part {
    const found = take(repetition);
    if (found === null) return part;
    const [, sign, from, comma, to] = found;
    if (sign !== undefined)
      return { ...part, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity };
    const least = Number(from);
    return { ...part, least, most: comma === undefined ? least : to === '' ? Infinity : Number(to) };
  }

  const tree = either();
  return refersBack ? null : tree;
}

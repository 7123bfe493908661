import { LRUCache } from 'lru-cache';

/** UTF-16 code units from one to another, both included. */
export type Range = readonly [from: number, to: number];

/** A part of a regular expression, repeated from `least` to `most` times. */
export type Part = { least: number; most: number } & (
  | { kind: 'unit'; ranges: readonly Range[] }
  /** The alternatives of a group, each a sequence of parts. */
  | { kind: 'group'; alternatives: Part[][] }
  /** `(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`: matches no unit. */
  | { kind: 'look'; alternatives: Part[][]; behind: boolean; negated: boolean }
  | { kind: 'start' | 'end' }
  /** `\b`, `\B`. */
  | { kind: 'boundary'; negated: boolean }
);

const atom =
  /^(?:\\c[A-Za-z]|\\(?=c)|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\0[0-7]{0,2}|\\[^]|\[(?:\\[^]|[^\]\\])*\]|[^])/;
const groupOpening = /^\((?:\?(?:<(?![=!])[^>]*>|[a-z-]*:|<?[=!]))?/;
const repetition = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/;

/** The expression that GrowthBook's SDK makes of a pattern; throws SyntaxError. */
export function asSdkMakesIt(pattern: string, insensitive: boolean): RegExp {
  return new RegExp(pattern.replace(/([^\\])\//g, '$1\\/'), insensitive ? 'i' : '');
}

/**
 * Parses a JavaScript regular expression without the flags `u` and `v`, as the SDK makes it: each letter is one
 * UTF-16 unit. JavaScript itself is used to find which units a letter, an escape or a class matches.
 *
 * @param expression a valid regular expression
 * @returns the alternatives, or a message about a part that rules may not use
 */
export function parseRegex({ source, flags }: RegExp): Part[][] | string {
  let at = 0;
  let problem = '';

  function take(syntax: RegExp): RegExpExecArray | null {
    const match = syntax.exec(source.slice(at));
    at += match?.[0].length ?? 0;
    return match;
  }

  function either(): Part[][] {
    const alternatives: Part[][] = [[]];
    while (at < source.length && source[at] !== ')') {
      if (source[at] === '|') {
        at += 1;
        alternatives.push([]);
      } else {
        alternatives.at(-1)?.push(repeated(one()));
      }
    }
    return alternatives;
  }

  function one(): Part {
    const once = { least: 1, most: 1 };
    const opening = take(groupOpening);
    if (opening !== null) {
      const [whole] = opening;
      if (/[a-z-]+:$/.test(whole)) problem = 'must not switch flags: not every browser knows (?i:…)';
      const alternatives = either();
      at += 1;
      if (!/[=!]$/.test(whole)) return { kind: 'group', alternatives, ...once };
      return {
        kind: 'look',
        alternatives,
        behind: whole.includes('<'),
        negated: whole.endsWith('!'),
        ...once,
      };
    }
    const found = take(atom)?.[0] ?? '';
    if (/^\\[1-9k]/.test(found)) problem = 'must not refer back to a group';
    if (found === '^' || found === '$') return { kind: found === '^' ? 'start' : 'end', ...once };
    if (/^\\[bB]$/.test(found)) return { kind: 'boundary', negated: found === '\\B', ...once };
    return { kind: 'unit', ranges: unitsOf(found, flags), ...once };
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

  const alternatives = either();
  return problem === '' ? alternatives : problem;
}

const known = new LRUCache<string, readonly Range[]>({ max: 1_000 });
let everyUnit = '';

/** The units that one letter, escape or class matches. */
function unitsOf(atom: string, flags: string): readonly Range[] {
  const letter = /^\\?([^\w.[\\\u0080-\uffff])$|^(\w)$/.exec(atom);
  if (letter !== null) {
    // Without the flag `u`, no letter outside ASCII equals an ASCII letter in another case.
    const [, sign, word = ''] = letter;
    const cases =
      sign === undefined && flags === 'i' ? [word.toUpperCase(), word.toLowerCase()] : [sign ?? word];
    return cases.map((one): Range => [one.charCodeAt(0), one.charCodeAt(0)]);
  }
  return asked(atom, flags);
}

/** Finds the units that an atom matches by trying every unit with JavaScript itself. */
function asked(atom: string, flags: string): readonly Range[] {
  const source = atom === '\\' ? '\\\\' : atom;
  const key = `${flags}/${source}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  everyUnit ||= Array.from({ length: 65_536 }, (_, unit) => String.fromCharCode(unit)).join('');
  const ranges = Array.from(
    everyUnit.matchAll(new RegExp(`(?:${source})+`, `g${flags}`)),
    ({ index, 0: run }): Range => [index, index + run.length - 1],
  );
  known.set(key, ranges);
  return ranges;
}

/** The first unit of each class of units between which no part of the pattern distinguishes, ascending from 0. */
export function unitClasses(alternatives: readonly Part[][]): number[] {
  const firsts = new Set([0]);
  const open: Part[] = alternatives.flat();
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (part.kind === 'unit') for (const [from, to] of part.ranges) firsts.add(from).add(to + 1);
    if (part.kind === 'group' || part.kind === 'look') open.push(...part.alternatives.flat());
  }
  return [...firsts].filter((first) => first < 65_536).toSorted((one, other) => one - other);
}

/** For each class of units: 1 if the ranges contain it. */
export function takenClasses(ranges: readonly Range[], classes: readonly number[]): Uint8Array {
  return Uint8Array.from(classes, (unit) =>
    ranges.some(([from, to]) => unit >= from && unit <= to) ? 1 : 0,
  );
}

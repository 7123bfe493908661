/** Where and why a text is not JSON. Lines and columns count from 1, columns in UTF-16 units. */
export type JsonMistake = {
  line: number;
  column: number;
  /**
   * `end`: it ends too early. `trailing`: something follows the value. `unexpected`: `found` does not fit
   * there.
   */
  reason: 'end' | 'trailing' | 'unexpected';
  /** The characters at that place, at most a word. */
  found: string;
};

const blank = /[ \t\n\r]*/y;
const text = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /true|false|null/y;

/**
 * Finds the first mistake in a JSON text (RFC 8259), or null where there is none. It accepts exactly what
 * `JSON.parse` accepts; browsers' own messages differ, are English, and often name no place.
 */
export function jsonMistake(source: string): JsonMistake | null {
  let at = 0;
  // Open brackets, innermost last; a document may nest deeper than the call stack.
  const open: ('[' | '{')[] = [];

  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match === null) return false;
    at += match[0].length;
    return true;
  };
  const skip = (): string | undefined => {
    take(blank);
    return source[at];
  };
  const key = (): boolean => {
    skip();
    if (!take(text)) return false;
    if (skip() !== ':') return false;
    at += 1;
    return true;
  };

  let expectsValue = true;
  for (;;) {
    const next = skip();
    if (expectsValue) {
      if (next === '[') {
        at += 1;
        if (skip() === ']') {
          at += 1;
          expectsValue = false;
        } else open.push('[');
      } else if (next === '{') {
        at += 1;
        if (skip() === '}') {
          at += 1;
          expectsValue = false;
        } else {
          open.push('{');
          if (!key()) return mistake(source, at, 'unexpected');
        }
      } else if (take(text) || take(number) || take(word)) expectsValue = false;
      else return mistake(source, at, 'unexpected');
    } else {
      const inside = open.at(-1);
      if (inside === undefined) return next === undefined ? null : mistake(source, at, 'trailing');
      if (next === ',') {
        at += 1;
        if (inside === '{' && !key()) return mistake(source, at, 'unexpected');
        expectsValue = true;
      } else if (next === (inside === '{' ? '}' : ']')) {
        at += 1;
        open.pop();
      } else return mistake(source, at, 'unexpected');
    }
  }
}

/** The line and the column of a place in a text. */
export function placeIn(source: string, at: number): { line: number; column: number } {
  const before = source.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

function mistake(source: string, at: number, reason: 'trailing' | 'unexpected'): JsonMistake {
  const found = /^(?:[\p{L}\p{N}_]{1,20}|[^])/u.exec(source.slice(at))?.[0] ?? '';
  return {
    ...placeIn(source, at),
    reason: found === '' ? 'end' : reason,
    found,
  };
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonMistake } from './json-mistake.ts';

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('FLAG-3: a mistake in JSON is found before it is sent', () => {
  it('FLAG-3: accepts what JSON.parse writes and reads, however it is laid out', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2, '\t'), (value, indent) => {
        expect(jsonMistake(JSON.stringify(value, null, indent))).toBeNull();
      }),
    );
  });

  it('FLAG-3: agrees with JSON.parse on texts that one edit has damaged', () => {
    const edit = fc.record({
      where: fc.nat(),
      remove: fc.nat(2),
      insert: fc.constantFrom('', ',', '"', '}', ']', ':', 'x', '0', '\\', '\n', '-', 'tru'),
    });
    fc.assert(
      fc.property(fc.jsonValue(), edit, (value, { where, remove, insert }) => {
        const whole = JSON.stringify(value, null, 1);
        const at = where % (whole.length + 1);
        const damaged = whole.slice(0, at) + insert + whole.slice(at + remove);
        expect(jsonMistake(damaged) === null).toBe(parses(damaged));
      }),
      { numRuns: 2000 },
    );
  });

  it('FLAG-3: names line, column and what stands there', () => {
    expect(jsonMistake('{\n  "a": 1,\n  b: 2\n}')).toEqual({
      line: 3,
      column: 3,
      reason: 'unexpected',
      found: 'b',
    });
    expect(jsonMistake('[1, 2')).toEqual({ line: 1, column: 6, reason: 'end', found: '' });
    expect(jsonMistake('{"a": treu}')).toEqual({ line: 1, column: 7, reason: 'unexpected', found: 'treu' });
    expect(jsonMistake('{} x')).toEqual({ line: 1, column: 4, reason: 'trailing', found: 'x' });
    expect(jsonMistake('')).toEqual({ line: 1, column: 1, reason: 'end', found: '' });
  });

  it('FLAG-3: takes nesting deeper than the call stack', () => {
    expect(jsonMistake('['.repeat(200_000) + ']'.repeat(200_000))).toBeNull();
  });
});

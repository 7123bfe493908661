import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonShapeProblem } from './json-shape.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('the shape of a JSON body', () => {
  it('API-1: is bounded in depth, however it is nested', () => {
    expect([jsonShapeProblem(nested(64)), jsonShapeProblem(nested(65))]).toEqual([null, expect.any(String)]);
    expect(jsonShapeProblem('{"a":'.repeat(60_000))).toContain('64 levels');
    expect(jsonShapeProblem(`[${Array.from({ length: 100 }, () => nested(60)).join(',')}]`)).toBeNull();
  });

  it('API-1: is bounded in what it is made of', () => {
    const list = (length: number, each: string) => `[${Array.from({ length }, () => each).join(',')}]`;
    expect([list(100_001, '1'), list(100_002, '1')].map((text) => jsonShapeProblem(text) === null)).toEqual([
      true,
      false,
    ]);
    expect([list(19_999, '{}'), list(20_000, '{}')].map((text) => jsonShapeProblem(text) === null)).toEqual([
      true,
      false,
    ]);
    expect(jsonShapeProblem(list(10_000, '{"a":1}'))).toContain('names, lists and objects');
  });

  it('API-1: does not count what stands in texts', () => {
    const text = '[{,:'.repeat(50_000);
    expect(jsonShapeProblem(JSON.stringify([text, '"', '\\', `\\"${text}`]))).toBeNull();
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(jsonShapeProblem(JSON.stringify(value))).toBeNull();
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', '\\', '[', ',', 'a') }), (inside) => {
        const after = nested(65);
        expect(jsonShapeProblem(`[${JSON.stringify(inside)},${after}]`)).toContain('64 levels');
      }),
    );
  });
});

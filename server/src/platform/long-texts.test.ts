import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HttpProblem } from './http-problem.ts';
import { parseWithLongTexts } from './long-texts.ts';

const most = 262_144;
const read = (json: string | Buffer, limit = most): unknown =>
  parseWithLongTexts(Buffer.from(json as string), JSON.parse, { member: 'data', most: limit });
const long = 'QUJD'.repeat(100_000);

/** How much of a body the parser got to see. */
function left(json: string): string {
  let seen = '';
  parseWithLongTexts(
    Buffer.from(json),
    (rest) => {
      seen = rest;
      return JSON.parse(rest);
    },
    { member: 'data', most },
  );
  return seen;
}

describe('a body with long texts', () => {
  it('BUG-6: is read as it stands, its long texts aside', () => {
    const body = { message: 'äöü "quoted" \\', attachments: [{ data: long }, { data: `${long}x` }], n: 1 };
    for (const json of [JSON.stringify(body), JSON.stringify(body, null, '\t')]) {
      expect(read(json)).toEqual(body);
      expect(left(json).length).toBeLessThan(400);
    }
  });

  it('BUG-6: is what the parser makes of it, whatever it is', () => {
    const pieces = fc.constantFrom('x', '"', '\\', '\n', '\u0000', 'é', '👩‍🚀', '\ud800', ':', ' ');
    const texts = fc
      .tuple(pieces, fc.integer({ min: 0, max: 40_000 }), pieces)
      .map(([before, length, behind]) => before + 'A'.repeat(length) + behind);
    const values = fc.jsonValue({ maxDepth: 2 });
    const bodies = fc.array(fc.tuple(fc.oneof(texts, fc.string()), fc.oneof(texts, values)), {
      maxLength: 5,
    });
    const inserted = fc.tuple(fc.nat({ max: 100_000 }), fc.constantFrom('"', '\\', ':', '\n', ' '));
    fc.assert(
      fc.property(bodies, fc.option(inserted), (entries, insertion) => {
        let json = JSON.stringify([
          Object.fromEntries(entries),
          entries,
          ...entries.map(([, data]) => ({ data })),
        ]);
        // Now and then something is put in that may break it.
        if (insertion !== null) {
          const [place, what] = insertion;
          json = json.slice(0, place) + what + json.slice(place);
        }
        expect(outcome(() => read(json, 10_000_000))).toEqual(
          outcome(() => JSON.parse(String(Buffer.from(json)))),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('BUG-6: is refused where the parser would have to read more than it may', () => {
    const half = 6_000_000;
    const hostile: Record<string, string> = {
      brackets: `${'['.repeat(half)}${']'.repeat(half)}`,
      'empty objects': `[${'{},'.repeat(4_000_000)}1]`,
      'short texts': `[${'"",'.repeat(4_000_000)}1]`,
      'one long name': `{"${long}":1}`,
      'a long text of another member': `{"message":"${long}"}`,
      'a long text of a member whose name ends alike': `{"\\"data":"${long}"}`,
      'a list of long texts': `["${long}"]`,
      'a long text with an escape': `{"data":"${long}\\n"}`,
      backslashes: `{"data":"${'\\'.repeat(half)}"}`,
      'a text without an end': `{"data":"${long}`,
      blanks: `{"data":${' '.repeat(half)}1}`,
    };
    for (const [what, json] of Object.entries(hostile)) {
      expect([what, outcome(() => typeof read(json))]).toEqual([what, 'TOO_LARGE']);
    }
    expect(read(`[${'1'.repeat(most - 2)}]`)).toHaveLength(1);
    expect(outcome(() => read(`[${'1'.repeat(most - 1)}]`))).toBe('TOO_LARGE');
  });

  it('BUG-6: survives what is deep beside a long text', () => {
    const levels = 100_000;
    const json = `{"data":"${long}","deep":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect((read(json) as { data: string }).data).toBe(long);
  });
});

function outcome(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error instanceof HttpProblem ? error.code : 'not JSON';
  }
}

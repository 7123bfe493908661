import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorEvent } from '#server/testing/envelopes.ts';
import { mostSample, sampleOf } from './sample.ts';
import { withoutSecrets } from './secrets.ts';

describe('a stored sample', () => {
  it('DIAG-2: has what explains an error, and nothing that names or signs in a person', () => {
    const secret = 'hunter2hunter2';
    const sample = sampleOf(
      errorEvent({
        user: { id: secret, email: secret },
        request: {
          url: `https://shop.example.org/cart?token=${secret}&page=2`,
          cookies: { session: secret },
          data: { password: secret },
          query_string: `access_token=${secret}`,
          headers: {
            Authorization: `Bearer ${secret}`,
            Cookie: secret,
            'X-Api-Key': secret,
            Accept: 'a\u0000b',
          },
        },
        tags: { screen: 'cart', session_id: secret },
        extra: { password: secret, deep: { apiKey: secret, author: 'Ada' } },
        contexts: { state: { auth: secret, value: 1 } },
        breadcrumbs: [
          { category: 'fetch', data: { url: `/a?api_key=${secret}`, status_code: 500 } },
          { category: 'console', message: `password=${secret}` },
        ],
        transaction: `GET /a?token=${secret}`,
        unknown: secret,
      }),
    );
    expect(JSON.stringify(sample)).not.toContain(secret);
    expect(sample).toMatchObject({
      request: { url: 'https://shop.example.org/cart?token=[Filtered]&page=2', headers: { Accept: 'ab' } },
      extra: { password: '[Filtered]', deep: { apiKey: '[Filtered]', author: 'Ada' } },
      breadcrumbs: [{ category: 'fetch', data: { status_code: 500 } }, { message: 'password=[Filtered]' }],
      exception: { values: [{ type: 'TypeError', stacktrace: { frames: [{}, { lineno: 12 }] } }] },
    });
    expect(sample).not.toHaveProperty('user');
  });

  it('DIAG-2: of any event is bounded, and keeps the top of the stack the longest', () => {
    const long = 'x'.repeat(5_000);
    const frame = (at: number) => ({
      filename: `/a/${at}.js`,
      function: `f${at}`,
      context_line: long,
      pre_context: [long, long, long],
      vars: { long },
    });
    const value = {
      type: 'E',
      value: long,
      stacktrace: { frames: Array.from({ length: 250 }, (_each, at) => frame(at)) },
    };
    const sample = sampleOf({
      exception: { values: Array.from({ length: 20 }, () => value) },
      extra: Object.fromEntries(Array.from({ length: 200 }, (_each, at) => [`k${at}`, long])),
      breadcrumbs: Array.from({ length: 200 }, () => ({ message: long, data: { long } })),
    });
    expect(JSON.stringify(sample).length).toBeLessThanOrEqual(mostSample);
    expect(sample).toMatchObject({
      exception: { values: expect.arrayContaining([expect.objectContaining({ type: 'E' })]) },
    });
    expect(JSON.stringify(sample)).toContain('/a/249.js');
  });

  it('DIAG-2: is made of whatever is sent', () => {
    const names = [
      'exception',
      'values',
      'breadcrumbs',
      'data',
      'request',
      'headers',
      'tags',
      'contexts',
      'extra',
      'frames',
      'stacktrace',
      '__proto__',
      'token',
    ];
    fc.assert(
      fc.property(fc.object({ key: fc.constantFrom(...names), maxDepth: 6 }), (event) => {
        const text = JSON.stringify(sampleOf(event));
        expect(text.length).toBeLessThanOrEqual(mostSample);
      }),
      { numRuns: 500 },
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('a text without secrets', () => {
  it.each([
    ['https://a.example.org/x?token=abc123&b=2', 'https://a.example.org/x?token=[Filtered]&b=2'],
    ['{"password":"abc123","name":"x"}', '{"password":"[Filtered]","name":"x"}'],
    ['Authorization: Bearer abcdefghij.klm', 'Authorization: [Filtered] [Filtered]'],
    ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_def here', 'jwt [Filtered] here'],
    ['postgres://user:pass@host/db', 'postgres://[Filtered]@host/db'],
    ['{"password":"a,b&c \\" d","n":1}', '{"password":"[Filtered]","n":1}'],
    ['connect redis://:pass@host:6379', 'connect redis://[Filtered]@host:6379'],
    ['card 4111 1111 1111 1111 declined', 'card [Filtered] declined'],
    ['Unexpected token < in JSON at position 0', 'Unexpected token < in JSON at position 0'],
    ['author: Ada, at 12:30', 'author: Ada, at 12:30'],
  ])('DIAG-2: of %j is %j', (text, clean) => {
    expect(withoutSecrets(text)).toBe(clean);
  });
});

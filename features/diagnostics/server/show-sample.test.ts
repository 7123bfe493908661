import { errorSample } from '#features/diagnostics/contract/diagnostics.ts';
import { describe, expect, it } from 'vitest';
import { requestIdOf, showSample } from './show-sample.ts';

describe('an event as it is shown', () => {
  it('DIAG-2: begins with what was thrown and the call that threw it', () => {
    const shown = showSample({
      platform: 'javascript',
      timestamp: 1_700_000_000.5,
      sdk: { name: 'sentry.javascript.browser', version: '11.12.0' },
      exception: {
        values: [
          { type: 'NetworkError', value: 'offline' },
          {
            type: 'LoadError',
            value: 'not loaded',
            mechanism: { type: 'onerror', handled: false },
            stacktrace: {
              frames: [
                { filename: 'https://x.test/a.js', function: 'outer', lineno: 1, colno: 2 },
                {
                  filename: '/app/node_modules/lib/index.js',
                  function: 'inner',
                  lineno: 7,
                  pre_context: ['five', 'six'],
                  context_line: 'seven',
                  post_context: ['eight'],
                  vars: { answer: 42 },
                },
              ],
            },
          },
        ],
      },
      breadcrumbs: [
        { timestamp: '2023-11-14T22:13:20Z', category: 'ui.click', level: 'log', data: { to: '/x' } },
      ],
      tags: [['request_id', 'r-1']],
      contexts: { os: { type: 'os', name: 'Linux' }, empty: {} },
      request: { url: 'https://x.test/', headers: { Referer: 'y' } },
    });
    expect(shown.errors.map(({ kind }) => kind)).toEqual(['LoadError', 'NetworkError']);
    expect(shown.errors[0]).toMatchObject({ mechanism: 'onerror', handled: false });
    const [inner, outer] = shown.errors[0]?.frames ?? [];
    expect(outer).toMatchObject({ function: 'outer', line: 1, column: 2, inApp: true, context: [] });
    expect(inner).toMatchObject({ inApp: false, variables: [{ name: 'answer', value: '42' }] });
    expect(inner?.context).toEqual([
      { line: 5, text: 'five' },
      { line: 6, text: 'six' },
      { line: 7, text: 'seven' },
      { line: 8, text: 'eight' },
    ]);
    expect(shown).toMatchObject({
      message: null,
      sdk: 'sentry.javascript.browser 11.12.0',
      happenedAt: 1_700_000_000_500,
      breadcrumbs: [{ at: 1_700_000_000_000, level: 'info', data: [{ name: 'to', value: '/x' }] }],
      contexts: [{ name: 'os', fields: [{ name: 'name', value: 'Linux' }] }],
    });
    expect(requestIdOf(shown)).toBe('r-1');
  });

  it('DIAG-2: of a message is the message, with its stack where it has one', () => {
    expect(showSample({ logentry: { formatted: 'Hello 7' } })).toMatchObject({
      errors: [],
      message: 'Hello 7',
    });
    const withStack = showSample({ message: 'Hello', stacktrace: { frames: [{ filename: 'a.js' }] } });
    expect(withStack).toMatchObject({ errors: [{ kind: 'Message', message: 'Hello' }], message: null });
  });

  it.each([
    undefined,
    null,
    'text',
    [],
    { exception: { values: [null, 7, { stacktrace: { frames: [null, { lineno: -1, colno: 1.5 }] } }] } },
    { exception: 'x', breadcrumbs: { values: 'x' }, tags: 7, contexts: [1], request: [], timestamp: {} },
    { timestamp: 1e300, breadcrumbs: [{ timestamp: 'never' }], tags: { a: { b: [] } }, message: {} },
    { exception: { values: Array.from({ length: 500 }, () => ({ value: 'x'.repeat(9_000) })) } },
  ])('DIAG-2: whatever is stored is shown within bounds: %j', (sent) => {
    const shown = showSample(sent);
    expect(errorSample.parse(shown)).toEqual(shown);
    expect(shown.errors.length).toBeLessThanOrEqual(20);
  });
});

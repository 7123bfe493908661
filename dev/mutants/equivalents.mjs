/**
 * Changes that make no difference that anybody could see, with the reason; they do not count.
 *
 * @type {readonly { file: string, line: string, replacement: string, why: string }[]}
 */
export const equivalents = [
  {
    file: 'web/src/features/feedback/feedback.ts',
    line: 'changes += 1;',
    replacement: 'changes -= 1',
    why: 'Only whether the count is still the same is looked at.',
  },
  {
    file: 'web/src/platform/call.ts',
    line: 'const json: unknown = await response.json().catch(() => null);',
    replacement: '() => undefined',
    why: 'Neither null nor undefined is a problem document.',
  },
  {
    file: 'web/src/features/flags/flags.ts',
    line: "if (kind !== 'plain') setPolyfills({ localStorage: { getItem: () => null, setItem: () => {} } });",
    replacement: '() => undefined',
    why: 'The SDK takes both for a browser that has stored nothing.',
  },
  {
    file: 'web/src/features/flags/flags.ts',
    line: 'return within.aborted ? false : settle(outcome);',
    replacement: 'true',
    why: 'Where a poll was given up, the poller does not look at how it ended.',
  },
  {
    file: 'web/src/features/flags/flags.ts',
    line: 'if (error === null && held !== null) {',
    replacement: 'true',
    why: 'A fetch that ended without an error has left a payload; only the compiler does not know.',
  },
];

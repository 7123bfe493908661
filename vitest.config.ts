import { defineConfig } from 'vitest/config';
import { textsOf } from './web/texts.ts';

export default defineConfig({
  test: {
    // Real applications on real databases, in processes of their own. They wait for disks and other programs:
    // the smallest machine has two cores, and one worker more keeps them busy.
    pool: 'forks',
    maxWorkers: 3,
    // The test files of a worker share the loaded modules; loading them for each file would double the time.
    // A test restores what it replaces when it has finished (`afterThisTest`); globals, spies and timers are
    // restored after each file.
    isolate: false,
    setupFiles: 'dev/restore-after-tests.ts',
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The time that a busy machine takes is not tested: a test waits for its result, and fails where that
    // never comes.
    expect: { poll: { timeout: 90_000, interval: 20 } },
    allowOnly: false,
    // No file may depend on another one before it: their order changes with each run of CI, which prints its
    // seed.
    sequence: { shuffle: { files: process.env['CI'] !== undefined } },
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{server,features/*/server}/**/*.test.ts'],
          globalSetup: 'server/src/testing/set-up.ts',
        },
      },
      {
        extends: true,
        plugins: [textsOf()],
        test: {
          name: 'other',
          include: ['{contract,web,dev,features/*/contract,features/*/web}/**/*.test.{ts,tsx}'],
        },
      },
    ],
  },
});

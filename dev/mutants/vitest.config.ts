import { defineConfig } from 'vitest/config';

// The tests of one area, without projects: each change runs those of them that reach it.
export default defineConfig({
  test: {
    include: (process.env['MUTANTS_TESTS'] ?? '').split(','),
    globalSetup: 'server/src/testing/postgres-server.ts',
    pool: 'forks',
    isolate: false,
    // Stryker counts what each test reaches, which takes its time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000, interval: 20 } },
  },
});

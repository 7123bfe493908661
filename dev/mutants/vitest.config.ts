import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Runs the quick tests first, because the first test that fails ends a run: tests without a server, then the
 * shorter files.
 */
class QuickFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const costOf = ({ moduleId }: TestSpecification) => {
      const text = readFileSync(moduleId, 'utf8');
      return text.length + (text.includes('startApp') ? 1_000_000 : 0);
    };
    return Promise.resolve(files.toSorted((one, other) => costOf(one) - costOf(other)));
  }
}

// The tests of one area, without Vitest's projects: for each change, only the tests that reach it run.
export default defineConfig({
  test: {
    include: (process.env['MUTANTS_TESTS'] ?? '').split(','),
    globalSetup: 'server/src/testing/set-up.ts',
    setupFiles: 'dev/mutants/quick-properties.ts',
    pool: 'forks',
    isolate: false,
    sequence: { sequencer: QuickFirst },
    // Stryker records which code each test reaches, which makes the tests slower.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000, interval: 20 } },
  },
});

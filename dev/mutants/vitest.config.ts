import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The quick tests first, since the first that fails ends a run: those without a server, then by the length of
 * their file.
 */
class QuickFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const cost = new Map(
      files.map((file) => {
        const text = readFileSync(file.moduleId, 'utf8');
        return [file, text.length + (text.includes('startApp') ? 1_000_000 : 0)];
      }),
    );
    return Promise.resolve(files.toSorted((one, other) => (cost.get(one) ?? 0) - (cost.get(other) ?? 0)));
  }
}

// The tests of one area, without projects: each change runs those of them that reach it.
export default defineConfig({
  test: {
    include: (process.env['MUTANTS_TESTS'] ?? '').split(','),
    globalSetup: 'server/src/testing/set-up.ts',
    setupFiles: 'dev/mutants/quick-properties.ts',
    pool: 'forks',
    isolate: false,
    sequence: { sequencer: QuickFirst },
    // Stryker counts what each test reaches, which takes its time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000, interval: 20 } },
  },
});

export type Table = {
  /** Runs one check. An error that it throws is its failure; the next check runs all the same. */
  check(area: string, what: string, run: () => Promise<string | void> | string | void): Promise<void>;
  skip(area: string, what: string, reason: string): void;
  print(): void;
  failed(): boolean;
};

/** Thrown by a check that cannot be made here, with the reason. */
export class Skipped extends Error {}

export function createTable(): Table {
  const rows: string[][] = [];
  function add(
    outcome: 'ok' | 'FAILED' | 'skipped',
    area: string,
    what: string,
    note: string,
    began: number,
  ) {
    rows.push([
      outcome,
      area,
      what,
      `${((Date.now() - began) / 1000).toFixed(1)} s`,
      note.split('\n')[0] ?? '',
    ]);
    process.stderr.write(`${outcome.padEnd(8)}${area}: ${what} ${note}\n`);
  }
  return {
    async check(area, what, run) {
      const began = Date.now();
      try {
        add('ok', area, what, (await run()) ?? '', began);
      } catch (error) {
        const outcome = error instanceof Skipped ? 'skipped' : 'FAILED';
        add(outcome, area, what, error instanceof Error ? error.message : String(error), began);
      }
    },
    skip: (area, what, reason) => add('skipped', area, what, reason, Date.now()),
    print() {
      const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
      const lines = rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '));
      process.stdout.write(`\n${lines.join('\n')}\n`);
    },
    failed: () => rows.some(([outcome]) => outcome === 'FAILED'),
  };
}

/** Throws with `words` unless `holds`. */
export function must(holds: boolean, words: string): asserts holds {
  if (!holds) throw new Error(words);
}

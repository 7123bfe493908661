export type Outcome = 'ok' | 'FAILED' | 'skipped';
type Row = { area: string; what: string; outcome: Outcome; note: string; seconds: number };

export type Table = {
  /** Runs one check; what it throws is its failure, and the next one runs all the same. */
  check(area: string, what: string, run: () => Promise<string | void> | string | void): Promise<void>;
  skip(area: string, what: string, reason: string): void;
  print(): void;
  failed(): boolean;
};

export function createTable(): Table {
  const rows: Row[] = [];
  function add(row: Row): void {
    rows.push(row);
    process.stderr.write(`${row.outcome.padEnd(8)}${row.area}: ${row.what} ${row.note}\n`);
  }
  return {
    async check(area, what, run) {
      const began = Date.now();
      const seconds = (): number => (Date.now() - began) / 1000;
      try {
        const note = (await run()) ?? '';
        add({ area, what, outcome: 'ok', note, seconds: seconds() });
      } catch (error) {
        const note = error instanceof Error ? error.message : String(error);
        add({ area, what, outcome: 'FAILED', note, seconds: seconds() });
      }
    },
    skip: (area, what, reason) => add({ area, what, outcome: 'skipped', note: reason, seconds: 0 }),
    print() {
      const width = (of: (row: Row) => string): number => Math.max(...rows.map((row) => of(row).length));
      const [areas, whats] = [width(({ area }) => area), width(({ what }) => what)];
      const lines = rows.map(({ area, what, outcome, note, seconds }) =>
        [
          outcome.padEnd(7),
          area.padEnd(areas),
          what.padEnd(whats),
          `${seconds.toFixed(1)} s`.padStart(7),
          note.split('\n')[0] ?? '',
        ].join('  '),
      );
      process.stdout.write(`\n${lines.join('\n')}\n`);
    },
    failed: () => rows.some(({ outcome }) => outcome === 'FAILED'),
  };
}

/** Throws with `words` unless `holds`. */
export function must(holds: boolean, words: string): asserts holds {
  if (!holds) throw new Error(words);
}

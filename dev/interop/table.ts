const rows: string[][] = [];

/** Thrown by a check that cannot be made here, with the reason. */
class Skipped extends Error {}

export type Check = (what: string, run: () => Promise<string | void> | string | void) => Promise<void>;

/** Runs the checks of an area. An error that one throws is its failure; the next one runs all the same. */
export function checksOf(area: string): Check {
  return async (what, run) => {
    const began = Date.now();
    let [outcome, note] = ['ok', ''];
    try {
      note = (await run()) ?? '';
    } catch (error) {
      outcome = error instanceof Skipped ? 'skipped' : 'FAILED';
      note = error instanceof Error ? error.message : String(error);
    }
    const seconds = `${((Date.now() - began) / 1000).toFixed(1)} s`;
    rows.push([outcome, area, what, seconds, note.split('\n')[0] ?? '']);
    process.stderr.write(`${outcome.padEnd(8)}${area}: ${what} ${note}\n`);
  };
}

/** Ends a check that cannot be made here. */
export function skip(reason: string): never {
  throw new Skipped(reason);
}

/** Prints what all checks found; returns the exit status of the run. */
export function printTable(): number {
  const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '));
  process.stdout.write(`\n${lines.join('\n')}\n`);
  return rows.some(([outcome]) => outcome === 'FAILED') ? 1 : 0;
}

/** Throws with `words` unless `holds`. */
export function must(holds: boolean, words: string): asserts holds {
  if (!holds) throw new Error(words);
}

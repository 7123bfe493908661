/** What a fault did: figures for the table, and what must not have happened, each in words. */
export type Outcome = { figures: string; losses: string[] } | { skipped: string };

export type Fault = {
  name: string;
  run(world: World): Promise<Outcome>;
};

/** What a fault may use; the clean-ups run after it, the last first. */
export type World = {
  /** How often it repeats what it does. */
  rounds: number;
  /** An empty folder, gone afterwards. */
  folder(): string;
  /** `kill -9` and the like, so that nothing of it outlives the fault. */
  after(cleanUp: () => void | Promise<void>): void;
};

/** Waits for something that takes a moment; throws after a minute. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  ms = 60_000,
): Promise<void> {
  const end = performance.now() + ms;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${ms / 1000} s: ${what}`);
    await pause(25);
  }
}

export const pause = (ms: number): Promise<void> => new Promise((over) => setTimeout(over, ms));

/** The longest and the middle of some milliseconds, for the table. */
export function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const [middle = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return `median ${Math.round(middle)} ms, longest ${Math.round(longest)} ms`;
}

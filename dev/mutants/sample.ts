import { createHash } from 'node:crypto';

/** So many lines are taken together, so that a change of several lines falls into them. */
const linesTogether = 12;

/**
 * The stretches of a file that a sample takes, as Stryker names them (`file:first-last`). The same seed takes
 * the same ones, and a file that grows keeps those it had.
 *
 * @param lines how many it has
 */
export function sampleOf(
  file: string,
  lines: number,
  { percent, seed }: { percent: number; seed: string },
): string[] {
  const taken: string[] = [];
  for (let first = 1; first <= lines; first += linesTogether) {
    const draw = createHash('sha256').update(`${seed} ${file} ${first}`).digest().readUInt32BE(0) / 2 ** 32;
    if (draw * 100 < percent) taken.push(`${file}:${first}-${Math.min(lines, first + linesTogether - 1)}`);
  }
  return taken;
}

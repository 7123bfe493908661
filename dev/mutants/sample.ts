import { createHash } from 'node:crypto';

/** The number of lines in a block of the sample, so that a change of several lines fits into it. */
const linesTogether = 12;

/**
 * Draws a sample of a file's blocks of lines, as Stryker names them (`file:first-last`). The same seed draws the
 * same blocks, and a file that grows keeps the drawn ones.
 *
 * @param lines the number of lines in the file
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

import { describe, expect, it } from 'vitest';
import { sampleOf } from './sample.ts';

const file = 'features/session/server/session.ts';

/** The lines that the named stretches hold. */
function linesIn(stretches: readonly string[]): number[] {
  return stretches.flatMap((stretch) => {
    const [first = 0, last = 0] = (stretch.split(':')[1] ?? '').split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}

describe('the sample of changes', () => {
  it('is every line at 100 percent, and none at 0', () => {
    const all = sampleOf(file, 125, { percent: 100, seed: '1' });
    expect(linesIn(all)).toEqual(Array.from({ length: 125 }, (_, at) => at + 1));
    expect(sampleOf(file, 125, { percent: 0, seed: '1' })).toEqual([]);
  });

  it('is about the share that was asked for, the same for the same seed, and another for another', () => {
    const sample = sampleOf(file, 12_000, { percent: 10, seed: '1' });
    expect(sample.length).toBeGreaterThan(60);
    expect(sample.length).toBeLessThan(140);
    expect(sampleOf(file, 12_000, { percent: 10, seed: '1' })).toEqual(sample);
    expect(sampleOf(file, 12_000, { percent: 10, seed: '2' })).not.toEqual(sample);
  });

  it('keeps what it had where the file grows', () => {
    const before = sampleOf(file, 1_200, { percent: 10, seed: '1' });
    expect(sampleOf(file, 1_300, { percent: 10, seed: '1' }).slice(0, before.length)).toEqual(before);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWorkLine, type WorkLine } from './sliced-work.ts';

// A busy machine takes longer for a bit than the slice allows: the clock stands still but for `busyFor`.
beforeEach(async () => {
  // The slice of an earlier test ends with its turn of the event loop.
  await new Promise(setImmediate);
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => vi.useRealTimers());

/** What a bit does that takes a while. */
function busyFor(milliseconds: number): void {
  vi.advanceTimersByTime(milliseconds);
}

/** Resolves when everything that was added before has been done. */
function over(line: WorkLine): Promise<void> {
  return new Promise((done) => {
    line.add(() => {
      done();
      return true;
    });
  });
}

describe('work in slices', () => {
  it('is done at once where there is little, and otherwise with everything else between', async () => {
    const line = createWorkLine();
    let bits = 0;
    const work = (count: number) => {
      let left = count;
      line.add(() => {
        busyFor(1);
        bits += 1;
        left -= 1;
        return left === 0;
      });
    };
    work(2);
    expect(bits).toBe(2);
    work(200);
    // Two more end this slice of four milliseconds.
    expect(bits).toBe(4);
    let turns = 0;
    let finished = false;
    const watch = () => {
      turns += 1;
      if (!finished) setImmediate(watch);
    };
    setImmediate(watch);
    await over(line);
    finished = true;
    expect(bits).toBe(202);
    expect(turns).toBeGreaterThanOrEqual(49);
  });

  it('keeps the order of a line, and lets no line wait for all of another', async () => {
    const [large, small] = [createWorkLine(), createWorkLine()];
    const done: string[] = [];
    const bit =
      (name: string, milliseconds = 0) =>
      () => {
        busyFor(milliseconds);
        done.push(name);
        return true;
      };
    // More than a slice each.
    for (const name of ['a', 'b', 'c', 'd']) large.add(bit(name, 15));
    for (const name of ['1', '2']) small.add(bit(name));
    await Promise.all([over(large), over(small)]);
    expect(done.filter((name) => /[a-z]/.test(name))).toEqual(['a', 'b', 'c', 'd']);
    expect(done.filter((name) => /\d/.test(name))).toEqual(['1', '2']);
    expect(done.indexOf('2')).toBeLessThan(done.indexOf('d'));
  });

  it('takes what work adds while it is being done', async () => {
    const line = createWorkLine();
    const done: string[] = [];
    line.add(() => {
      line.add(() => {
        done.push('added');
        return true;
      });
      done.push('first');
      return true;
    });
    await over(line);
    expect(done).toEqual(['first', 'added']);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDelayedAnswers } from './delayed-answers.ts';

describe('held answers', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('DIAG-2: are written in their order a tenth of a second later, a few at once, and no more than fit are held', () => {
    const { delay } = createDelayedAnswers(() => Date.now());
    const written: number[] = [];
    const tryAll = (count: number) =>
      Array.from({ length: count }, (_each, at) => delay(() => written.push(at))).filter(Boolean).length;
    expect(tryAll(2_500)).toBe(2_000);
    vi.advanceTimersByTime(99);
    expect(written).toHaveLength(0);
    vi.advanceTimersByTime(1);
    expect(written).toHaveLength(25);
    vi.advanceTimersByTime(5);
    expect(written).toHaveLength(50);
    expect(tryAll(100)).toBe(50);
    vi.advanceTimersByTime(600);
    expect(written).toHaveLength(2_050);
    expect(written.slice(0, 2_000)).toEqual(Array.from({ length: 2_000 }, (_each, at) => at));
    expect(vi.getTimerCount()).toBe(0);
    // It begins again, with its delay.
    expect(tryAll(1)).toBe(1);
    vi.advanceTimersByTime(99);
    expect(written).toHaveLength(2_050);
    vi.advanceTimersByTime(1);
    expect(written).toHaveLength(2_051);
  });
});

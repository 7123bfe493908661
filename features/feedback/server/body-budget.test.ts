import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HttpProblem } from '#server/platform/http/http-problem.ts';
import { createBodyBudget, type Place } from './body-budget.ts';

describe('the budget for large bodies', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** The requests that were admitted, in order. */
  function watched(budget: ReturnType<typeof createBodyBudget>) {
    const inside: string[] = [];
    const refused: string[] = [];
    const places = new Map<string, Place>();
    return {
      inside,
      refused,
      enter(name: string, sender: string, bytes: number): void {
        const place = budget.enter(sender, bytes);
        places.set(name, place);
        place.entered.then(
          () => inside.push(name),
          (error: HttpProblem) => refused.push(`${name} ${error.code}`),
        );
      },
      async leave(name: string): Promise<void> {
        places.get(name)?.leave();
        await vi.advanceTimersByTimeAsync(0);
      },
    };
  }
  const settle = () => vi.advanceTimersByTimeAsync(0);
  const options = { bytes: 40, bytesEach: 20, timeoutMs: 1_000 };

  it('BUG-6: admits as many as fit, the others in their order as others leave', async () => {
    const at = watched(createBodyBudget(options));
    for (const name of ['a', 'b', 'c', 'd']) at.enter(name, name, 20);
    await settle();
    expect(at.inside).toEqual(['a', 'b']);
    await at.leave('a');
    expect(at.inside).toEqual(['a', 'b', 'c']);
    await at.leave('a');
    expect(at.inside).toEqual(['a', 'b', 'c']);
    await at.leave('c');
    expect(at.inside).toEqual(['a', 'b', 'c', 'd']);
  });

  it('BUG-6: who sends several at once waits for themselves, and delays no one else', async () => {
    const at = watched(createBodyBudget(options));
    at.enter('a1', 'a', 15);
    at.enter('a2', 'a', 15);
    at.enter('b', 'b', 20);
    await settle();
    expect(at.inside).toEqual(['a1', 'b']);
    await at.leave('a1');
    expect(at.inside).toEqual(['a1', 'b', 'a2']);
  });

  it('BUG-6: a large one is not overtaken by small ones for ever', async () => {
    const at = watched(createBodyBudget(options));
    at.enter('a', 'a', 20);
    at.enter('b', 'b', 10);
    at.enter('large', 'c', 20);
    at.enter('small', 'd', 1);
    await settle();
    expect(at.inside).toEqual(['a', 'b']);
    await at.leave('b');
    expect(at.inside).toEqual(['a', 'b', 'large']);
    await at.leave('a');
    expect(at.inside).toEqual(['a', 'b', 'large', 'small']);
  });

  it('API-2: who waits too long is asked to retry, and who has gone takes no place', async () => {
    const at = watched(createBodyBudget(options));
    at.enter('a', 'a', 20);
    at.enter('b', 'b', 20);
    at.enter('gone', 'c', 20);
    await vi.advanceTimersByTimeAsync(500);
    at.enter('late', 'd', 20);
    await at.leave('gone');
    await vi.advanceTimersByTimeAsync(999);
    expect(at.refused).toEqual(['gone UNAVAILABLE']);
    await vi.advanceTimersByTimeAsync(1);
    expect(at.refused).toEqual(['gone UNAVAILABLE', 'late UNAVAILABLE']);
    await at.leave('a');
    await at.leave('b');
    at.enter('e', 'e', 20);
    at.enter('f', 'f', 99);
    await settle();
    expect(at.inside).toEqual(['a', 'b', 'e', 'f']);
  });

  it('BUG-6: never holds more than it may, and in the end every caller was admitted or refused', async () => {
    const visits = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 30 })), {
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(visits, fc.infiniteStream(fc.boolean()), async (each, coin) => {
        const at = watched(createBodyBudget(options));
        const left = new Set<string>();
        const sum = (sender?: string) =>
          each
            .map(([who, bytes], index) => ({ who, bytes: Math.min(bytes, 20), name: `${who}${index}` }))
            .filter(({ name, who }) => at.inside.includes(name) && !left.has(name) && (sender ?? who) === who)
            .reduce((total, { bytes }) => total + bytes, 0);
        for (const [index, [who, bytes]] of each.entries()) {
          at.enter(`${who}${index}`, who, bytes);
          await settle();
          expect(sum()).toBeLessThanOrEqual(40);
          expect(sum(who)).toBeLessThanOrEqual(20);
          const leaving = coin.next().value === true ? at.inside.find((name) => !left.has(name)) : undefined;
          if (leaving !== undefined) {
            left.add(leaving);
            await at.leave(leaving);
          }
        }
        for (let next; (next = at.inside.find((name) => !left.has(name))) !== undefined;) {
          left.add(next);
          await at.leave(next);
        }
        expect(at.inside).toHaveLength(each.length);
      }),
    );
  });
});

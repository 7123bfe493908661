import { describe, expect, it, vi } from 'vitest';
import { LazyScreenError, lazyScreen } from './lazy-screen.tsx';

const noTexts = { add: () => Promise.reject(new Error('No texts were asked for.')) };

describe('LOOK-4: screens are downloaded when they are used', () => {
  it('LOOK-4: once, however often they are asked for', async () => {
    let downloads = 0;
    const screen = lazyScreen(() => {
      downloads += 1;
      return Promise.resolve(() => null);
    });
    expect(downloads).toBe(0);
    await Promise.all([screen.preload(noTexts), screen.preload(noTexts)]);
    await screen.preload(noTexts);
    expect(downloads).toBe(1);
  });

  it('LOOK-4 LOOK-3: a download that failed, also of its texts, is shown as such, and can be tried again', async () => {
    // No style sheet has failed.
    vi.stubGlobal('document', { querySelectorAll: () => [] });
    const asked: string[] = [];
    let missing = ['script', 'people'];
    const get = (what: string) =>
      missing.includes(what) ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve();
    const texts = { add: (part: string) => (asked.push(part), get(part)) };
    const screen = lazyScreen(async () => (await get('script'), () => null), 'people');
    const failed = await screen.preload(texts).catch((error: unknown) => error as LazyScreenError);
    expect(failed).toBeInstanceOf(LazyScreenError);
    missing = ['people'];
    await expect((failed as LazyScreenError).retry()).rejects.toBeInstanceOf(LazyScreenError);
    missing = [];
    await (failed as LazyScreenError).retry();
    await expect(screen.preload(texts)).resolves.toBeUndefined();
    expect(asked).toEqual(['people', 'people', 'people']);
  });
});

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

  it('LOOK-4: a download that failed is shown as such, and can be tried again', async () => {
    // No style sheet has failed.
    vi.stubGlobal('document', { querySelectorAll: () => [] });
    let online = false;
    const screen = lazyScreen(() =>
      online ? Promise.resolve(() => null) : Promise.reject(new TypeError('Failed to fetch')),
    );
    await expect(screen.preload(noTexts)).rejects.toBeInstanceOf(LazyScreenError);
    const failed = await screen.preload(noTexts).catch((error: unknown) => error as LazyScreenError);
    await expect((failed as LazyScreenError).retry()).rejects.toBeInstanceOf(LazyScreenError);
    online = true;
    await (failed as LazyScreenError).retry();
    await expect(screen.preload(noTexts)).resolves.toBeUndefined();
  });

  it('LOOK-3: a screen is there once its texts are, and can be retried when they failed to load', async () => {
    let online = false;
    const asked: string[] = [];
    const texts = {
      add(part: string) {
        asked.push(part);
        return online ? Promise.resolve() : Promise.reject(new TypeError('Failed to fetch'));
      },
    };
    const screen = lazyScreen(() => Promise.resolve(() => null), 'people');
    await expect(screen.preload(texts)).rejects.toBeInstanceOf(LazyScreenError);
    online = true;
    await expect(screen.preload(texts)).resolves.toBeUndefined();
    expect(asked).toEqual(['people', 'people']);
  });
});

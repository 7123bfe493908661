import { describe, expect, it } from 'vitest';
import { LateScreenError, lateScreen } from './late-screen.tsx';

describe('LOOK-4: screens are downloaded when they are used', () => {
  it('LOOK-4: once, however often they are asked for', async () => {
    let downloads = 0;
    const screen = lateScreen(() => {
      downloads += 1;
      return Promise.resolve(() => null);
    });
    expect(downloads).toBe(0);
    await Promise.all([screen.preload(), screen.preload()]);
    await screen.preload();
    expect(downloads).toBe(1);
  });

  it('LOOK-4: a download that failed says so, and can be tried again', async () => {
    let online = false;
    const screen = lateScreen(() =>
      online ? Promise.resolve(() => null) : Promise.reject(new TypeError('Failed to fetch')),
    );
    await expect(screen.preload()).rejects.toBeInstanceOf(LateScreenError);
    online = true;
    await expect(screen.preload()).resolves.toBeUndefined();
  });
});

import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '#server/platform/log/logger.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import type { Capabilities } from './capabilities/read-capabilities.ts';
import { createLayerCatalogue } from './layer-catalogue.ts';
import type { MapServer } from './map-server.ts';
import { listedLayer } from './testing/listed-layer.ts';

const layer = listedLayer('streets');
const town: Capabilities = { title: 'Town', layers: [layer], projections: [], formats: [], infoFormats: [] };

function catalogueOf(answer: () => Promise<Capabilities>) {
  const clock = movableClock();
  const capabilities = vi.fn<MapServer['capabilities']>(answer);
  const catalogue = createLayerCatalogue({ server: { capabilities }, clock, logger: createLogger('silent') });
  const names = async () => (await catalogue.get())?.layers.map(({ name }) => name) ?? null;
  return { catalogue, clock, capabilities, names };
}

describe('MAP-2: the list of layers', () => {
  afterEach(() => void vi.useRealTimers());

  it('is read once for all who ask at once, and again without delaying them when it is a minute old', async () => {
    const { clock, capabilities, names } = catalogueOf(() => Promise.resolve(town));
    expect(await Promise.all([names(), names(), names()])).toEqual([['streets'], ['streets'], ['streets']]);
    expect(capabilities).toHaveBeenCalledTimes(3);
    clock.move(59_000);
    await names();
    expect(capabilities).toHaveBeenCalledTimes(3);
    clock.move(1_000);
    await names();
    expect(capabilities).toHaveBeenCalledTimes(6);
  });

  it('is read again for a layer that is not there, but not for each of many', async () => {
    const { catalogue, clock, capabilities, names } = catalogueOf(() => Promise.resolve(town));
    await names();
    await catalogue.again();
    expect(capabilities).toHaveBeenCalledTimes(3);
    clock.move(5_000);
    await catalogue.again();
    await catalogue.again();
    expect(capabilities).toHaveBeenCalledTimes(6);
  });

  it('stays the last one while the map server is away', async () => {
    let answer = () => Promise.resolve(town);
    const { catalogue, clock, names } = catalogueOf(() => answer());
    await names();
    expect(catalogue.isAvailable()).toBe(true);
    answer = () => Promise.reject(new Error('away'));
    clock.move(60_000);
    await catalogue.again();
    expect([await names(), catalogue.isAvailable()]).toEqual([['streets'], false]);
    answer = () => Promise.resolve({ ...town, layers: [] });
    clock.move(5_000);
    await names();
    await expect.poll(() => catalogue.isAvailable()).toBe(true);
    expect(await names()).toEqual([]);
  });

  it('is not waited for longer than ten seconds', async () => {
    vi.useFakeTimers();
    const { catalogue, names } = catalogueOf(() => new Promise(() => undefined));
    const waiting = names();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([await waiting, catalogue.isAvailable()]).toEqual([null, false]);
  });
});

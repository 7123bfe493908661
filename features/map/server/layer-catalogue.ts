import type { Core } from '#server/core.ts';
import type { Capabilities, ListedLayer } from './capabilities/read-capabilities.ts';
import { mergeListed } from './layer-rights.ts';
import { ownIdentity, type MapServer } from './map-server.ts';

/** What the map server offers, as it was read last. */
export type Catalogue = {
  readAt: number;
  layers: readonly ListedLayer[];
  projections: readonly string[];
  formats: readonly string[];
  infoFormats: readonly string[];
};

export type LayerCatalogue = {
  /** The last catalogue, or a promise of the first one; null where the first reading fails or takes long. */
  get(): Catalogue | null | Promise<Catalogue | null>;
  /** Reads again, but not within a few seconds of the last reading, nor within the time that ten readings take. */
  again(): Promise<Catalogue | null>;
  /** Whether the last reading succeeded. */
  isAvailable(): boolean;
  close(): void;
};

/** A catalogue older than this, and than the time of ten readings, is read again when it is used. */
const staleMs = 60_000;
const readingsBetween = 10;
/** The shortest time between readings after a failure, or for an unknown layer. */
const soonestMs = 5_000;
const timeoutMs = 120_000;
/** Timeout of callers that wait for the first reading, which continues. */
const longestWaitMs = 10_000;

/**
 * Caches what the map server lists. The list is read outside of requests, one reading at a time; until a reading
 * ends, the last list is used.
 */
export function createLayerCatalogue(
  options: Pick<Core, 'clock' | 'logger'> & {
    server: Pick<MapServer, 'capabilities'>;
  },
): LayerCatalogue {
  const { server, clock, logger } = options;
  let known: Catalogue | null = null;
  let reading: Promise<Catalogue | null> | null = null;
  let triedAt = Number.NEGATIVE_INFINITY;
  let took = 0;
  let available = true;
  let closed = false;

  async function readAll(): Promise<Catalogue | null> {
    triedAt = clock.now();
    const began = performance.now();
    const [wms, wfs, wmts] = await Promise.allSettled(
      (['wms', 'wfs', 'wmts'] as const).map((service) =>
        server.capabilities(service, ownIdentity, timeoutMs),
      ),
    );
    took = performance.now() - began;
    if (wms?.status !== 'fulfilled') {
      if (available && !closed)
        logger.warn({ err: wms?.reason as unknown }, 'the layers of the map server could not be read');
      available = false;
      return known;
    }
    available = true;
    const others = [wfs, wmts].flatMap((each): Capabilities[] =>
      each?.status === 'fulfilled' ? [each.value] : [],
    );
    const { projections, formats, infoFormats } = wms.value;
    known = {
      readAt: clock.now(),
      layers: mergeListed(wms.value, others),
      projections,
      formats,
      infoFormats,
    };
    return known;
  }

  function read(): Promise<Catalogue | null> {
    reading ??= readAll().finally(() => (reading = null));
    return reading;
  }

  function soon(first: Promise<Catalogue | null>): Promise<Catalogue | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(known), longestWaitMs);
      void first.then(resolve).finally(() => clearTimeout(timer));
    });
  }

  return {
    get() {
      const now = clock.now();
      const age = now - triedAt;
      const mayTry = age < 0 || age >= soonestMs;
      if (known === null) return reading === null && !mayTry ? null : soon(reading ?? read());
      if (age >= Math.max(staleMs, took * readingsBetween) || age < 0 || (!available && mayTry)) void read();
      return known;
    },
    again() {
      if (reading !== null) return reading;
      const age = clock.now() - triedAt;
      // Requests for layers that do not exist must not keep a large map server busy.
      const isTooSoon = age >= 0 && age < Math.max(soonestMs, took * readingsBetween);
      return isTooSoon ? Promise.resolve(known) : read();
    },
    isAvailable: () => available && known !== null,
    close: () => (closed = true),
  };
}

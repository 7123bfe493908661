import { activityStep } from '#features/overview/contract/overview.ts';
import type { App } from '#server/app.ts';
import { startRealMapServer, withoutMapServer } from '#server/testing/mapserver.ts';
import { worldLayers } from '#server/testing/world-layers.ts';
import { startSmallMapServer } from './small-map-server.ts';
import { ownRight } from './demo-seed.ts';

/** The people at work at each hour of the day, and how many evaluations of flags each adds in a minute. */
const people = [0, 0, 0, 0, 0, 1, 2, 5, 9, 14, 16, 15, 11, 13, 17, 16, 14, 10, 6, 4, 3, 2, 1, 1];
const evaluations = 62;

/**
 * Writes a day of figures as the server counts them every five minutes. The server counts by its own clock, so that
 * no call can create them.
 *
 * @param until a time in the last bucket, which the running server fills itself
 */
export async function writeDay(database: App['database'], until: number): Promise<void> {
  const last = Math.floor(until / activityStep) * activityStep;
  const rows = Array.from({ length: 288 }, (_, index) => {
    const at = last - (index + 1) * activityStep;
    const count = peopleAt(at);
    const sdks = 3 + (count > 8 ? 1 : 0);
    return {
      at,
      process_id: 'demo',
      people: count,
      sdks,
      sdk_keys: '{}',
      sdk_minutes: sdks * 5,
      minutes: 0b11111,
      evaluations: 5 * Math.round(evaluations * (1 + count) + 40 * ripple(at)),
      seen_at: at,
    };
  });
  await database.transaction(async (tx) => {
    for (const row of rows) await tx.insertInto('activity').values(row).execute();
  });
}

/** The people between two hours: interpolated between both figures, and varied a little. */
function peopleAt(at: number): number {
  const time = new Date(at);
  const hour = time.getHours();
  const part = time.getMinutes() / 60;
  const count = (people[hour] ?? 0) * (1 - part) + (people[(hour + 1) % 24] ?? 0) * part;
  return Math.max(0, Math.round(count + (count > 3 ? ripple(at) : 0)));
}

/** A value from -1 to 1, which is the same at each start. */
function ripple(at: number): number {
  return Math.sin((at / activityStep) * 1.7) * Math.cos((at / activityStep) * 0.31);
}

// The map of the demo: MapServer where it is installed, else a small map server of the demo's own.

/** Its address for `GEOSERVER_URL`, and which server it is, for the person at the terminal. */
export async function startDemoMap(): Promise<{ url: string; what: string; stop(): void }> {
  const layers = worldLayers(new Date());
  if (withoutMapServer === null) {
    const { url, stop } = await startRealMapServer(layers);
    return { url: url.href, what: 'MapServer, as it is installed here', stop };
  }
  const { url, stop } = await startSmallMapServer(layers);
  return { url: url.href, what: `a small server of the demo’s own: ${withoutMapServer}`, stop };
}

/** What the demo's operator decides: who sees the stations, what is on at first, and titles in each language. */
export const mapLayers = [
  { name: 'countries', titles: { en: 'Countries', de: 'Länder', fr: 'Pays' } },
  { name: 'visits', titles: { en: 'Visits by month', de: 'Besuche nach Monat', fr: 'Visites par mois' } },
  { name: 'stations', access: 'right', right: ownRight.right, titles: { en: '', de: '', fr: '' } },
].map((layer) => ({ access: 'inherited', right: null, onAtFirst: true, version: null, ...layer }));

/** The topmost first. */
export const mapOrder = ['stations', 'visits', 'borders', 'countries', 'land'];

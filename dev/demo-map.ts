// The map of the demo: MapServer where it is installed, else a small map server of the demo's own.
import { startRealMapServer, withoutMapServer } from '#server/testing/mapserver.ts';
import { worldLayers } from '#server/testing/world-layers.ts';
import { startSmallMapServer } from './small-map-server.ts';
import { ownRight } from './demo-seed.ts';

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

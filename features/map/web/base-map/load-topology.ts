import coarse from 'world-atlas/countries-110m.json?url';
import fine from 'world-atlas/countries-50m.json?url';
import { base } from '#web/platform/base.ts';
import type { Topology } from './topology.ts';

/** From this zoom on the fine base map is worth its download. */
export const fineFrom = 3;

/** The base map of the world as files next to the scripts: about 33 kB, and 205 kB for the fine one. */
export async function loadTopology(which: 'coarse' | 'fine', signal: AbortSignal): Promise<Topology> {
  const response = await fetch(`${base}${which === 'fine' ? fine : coarse}`, { signal });
  if (!response.ok) throw new Error(`The base map was answered with ${response.status}.`);
  return (await response.json()) as Topology;
}

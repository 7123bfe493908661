import type { ListedLayer } from '../capabilities/read-capabilities.ts';

/** A layer as a map server lists it. */
export const listedLayer = (name: string, holds: string[] = []): ListedLayer => ({
  name,
  title: name,
  abstract: '',
  groups: [],
  holds,
  isGroup: holds.length > 0,
  isDrawn: true,
  dimensions: [],
  queryable: true,
  bounds: null,
  time: null,
  scale: { least: null, most: null },
  styles: [],
  attribution: '',
});

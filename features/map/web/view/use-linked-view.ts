import { useEffect, useRef, useState } from 'react';
import { useAddressFilter } from '#web/platform/lists/address-filter.ts';
import type { ShownLayer } from '../layers/shown-layers.ts';
import type { MapPosition } from './map-engine.ts';
import {
  type LinkedLayer,
  type LinkedView,
  readLayers,
  readView,
  writeLayers,
  writeView,
} from './view-link.ts';

/** Dragging the map changes the address when it has come to rest. */
const rest = 300;

type Linked = {
  /** What the address held when the screen was opened, or was changed to by hand. */
  view: LinkedView | null;
  layers: LinkedLayer[] | null;
  /** Counts the changes from outside. */
  opened: number;
};

/** The view of the address, which follows the map: it can be copied, and goes along with a bug report. */
export function useLinkedView(position: MapPosition | null, shown: readonly ShownLayer[] | null): Linked {
  const [address, changeAddress] = useAddressFilter(['at', 'layers']);
  const [linked, setLinked] = useState<Linked>(() => read(address, 0));
  const written = useRef(`${address.at} ${address.layers}`);

  const present = `${address.at} ${address.layers}`;
  useEffect(() => {
    if (present === written.current) return;
    written.current = present;
    const [at = '', layers = ''] = present.split(/ (.*)/s);
    setLinked(({ opened }) => read({ at, layers }, opened + 1));
  }, [present]);

  const at = position === null ? null : writeView(position);
  const layers = shown === null ? null : writeLayers(shown);
  const change = useRef(changeAddress);
  useEffect(() => {
    change.current = changeAddress;
  });
  useEffect(() => {
    if (at === null || layers === null || written.current === `${at} ${layers}`) return undefined;
    const timer = setTimeout(() => {
      written.current = `${at} ${layers}`;
      change.current({ at, layers });
    }, rest);
    return () => clearTimeout(timer);
  }, [at, layers]);

  return linked;
}

function read(address: { at: string; layers: string }, opened: number): Linked {
  return { view: readView(address.at), layers: readLayers(address.layers), opened };
}

import type { MapLayer } from '#features/map/contract/map.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MapFetch } from '../layers/map-fetch.ts';
import { picturesUrl } from '../view/use-map.ts';

type LegendProps = { layer: MapLayer; title: string; mapFetch: MapFetch };

/** The picture of a layer's signs, as the map server draws it. It is loaded when it is first in view. */
export function Legend({ layer, title, mapFetch }: LegendProps) {
  const { t } = useTranslation();
  const [picture, setPicture] = useState<{ address: string } | 'failed' | null>(null);
  const style = layer.styles[0];
  const hasLegend = style?.hasLegend ?? false;
  const styleName = style?.name ?? '';
  useEffect(() => {
    if (!hasLegend) return undefined;
    const ends = new AbortController();
    let address: string | null = null;
    const query = new URLSearchParams({
      SERVICE: 'WMS',
      VERSION: '1.3.0',
      REQUEST: 'GetLegendGraphic',
      SLD_VERSION: '1.1.0',
      FORMAT: 'image/png',
      LAYER: layer.name,
      STYLE: styleName,
    });
    mapFetch
      .get(`${picturesUrl}?${query}`, ends.signal)
      .then((answer) => answer.blob())
      .then(
        (blob) => {
          if (ends.signal.aborted) return;
          address = URL.createObjectURL(blob);
          setPicture({ address });
        },
        () => {
          if (!ends.signal.aborted) setPicture('failed');
        },
      );
    return () => {
      ends.abort();
      if (address !== null) URL.revokeObjectURL(address);
    };
  }, [layer.name, styleName, hasLegend, mapFetch]);
  if (!hasLegend || picture === null) return null;
  if (picture === 'failed') return <p className="muted">{t('MAP.LAYER.NO_LEGEND')}</p>;
  return (
    <img className="map-legend" src={picture.address} alt={t('MAP.LAYER.LEGEND_OF', { layer: title })} />
  );
}

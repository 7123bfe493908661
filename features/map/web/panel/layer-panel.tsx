import type { listMapLayers, MapLayer } from '#features/map/contract/map.ts';
import type { AnswerOf } from '#contract/route.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listState } from '#web/platform/lists/list-state.ts';
import { Button } from '#web/ui/button.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import type { ShownLayer } from '../layers/shown-layers.ts';
import type { MapHandle } from '../view/use-map.ts';
import { AllLayers } from './all-layers.tsx';
import { ShownList } from './shown-list.tsx';

type LayerPanelProps = {
  query: UseQueryResult<AnswerOf<typeof listMapLayers>>;
  known: ReadonlyMap<string, MapLayer>;
  shown: readonly ShownLayer[];
  onShown: (shown: readonly ShownLayer[]) => void;
  map: MapHandle;
  /** How many layers of the link the person may not see, or are gone. */
  missing: number;
};

const none: readonly MapLayer[] = [];

/** The layers: those on the map in their order, and all that the person may see. On phones it opens over the map. */
export function LayerPanel({ query, known, shown, onShown, map, missing }: LayerPanelProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const server = query.data?.server;
  return (
    <section className="map-panel" data-open={open} aria-label={t('MAP.LAYERS')}>
      <header className="map-panel-head">
        <h1 tabIndex={-1}>{t('MAP.TITLE')}</h1>
        <Button
          small
          className="map-panel-toggle"
          icon={open ? 'chevron-down' : 'list'}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {t('MAP.LAYERS_SHOWN', { count: shown.length })}
        </Button>
      </header>
      <div className="map-panel-body">
        {server === 'unavailable' ? (
          <Notice severity="medium" role="status">
            {t('MAP.SERVER_UNAVAILABLE')}{' '}
            <Button small busy={query.isFetching} onClick={() => void query.refetch()}>
              {t('MAP.TRY_AGAIN')}
            </Button>
          </Notice>
        ) : null}
        {missing > 0 ? <Notice severity="info">{t('MAP.MISSING', { count: missing })}</Notice> : null}
        <ShownList known={known} shown={shown} onShown={onShown} map={map} />
        {server === 'none' ? (
          <EmptyState icon="image" title={t('MAP.WITHOUT_SERVER.TITLE')}>
            {t('MAP.WITHOUT_SERVER.TEXT')}
          </EmptyState>
        ) : (
          <ListFrame
            texts="MAP.ALL"
            {...listState(t, query)}
            skeletonRows={5}
            count={known.size}
            empty={{ icon: 'image' }}
          >
            <AllLayers layers={query.data?.layers ?? none} shown={shown} onShown={onShown} />
          </ListFrame>
        )}
      </div>
    </section>
  );
}

import type { MaintenanceMode } from '#features/maintenance/contract/maintenance.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '#web/app/app-context.tsx';
import { useApi } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { listState } from '#web/platform/lists/list-state.ts';
import { useStore } from '#web/platform/state/use-store.ts';
import { useNow } from '#web/platform/time/use-now.ts';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Tag, type TagKind } from '#web/ui/tag.tsx';
import { RecentChanges } from '#features/audit/web/recent-changes.tsx';
import { AttentionList } from './attention-list.tsx';
import { overviewKey, overviewQuery } from './overview-query.ts';
import { OverviewTiles } from './overview-tiles.tsx';
import './overview.css';

const tags: Record<MaintenanceMode, TagKind> = { off: 'ok', 'read-only': 'medium', full: 'high' };

/** Where operators land: what goes on, what needs them, and what was changed last. */
export function OverviewScreen() {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow(10_000);
  const answer = useQuery(overviewQuery(useApi()));
  const mode = useReloads();
  const overview = answer.data;
  const place = formats.timeZone.slice(formats.timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');
  return (
    <div className="overview">
      <header className="overview-head">
        <h1>{t('OVERVIEW.TITLE')}</h1>
        <Tag kind={tags[mode]}>{t(`OVERVIEW.MODES.${catalogueKey(mode)}`)}</Tag>
        <p className="overview-text">{t('OVERVIEW.NOW', { time: formats.dateTime(now), place })}</p>
      </header>
      <ListFrame texts="OVERVIEW" {...listState(t, answer)} skeletonRows={6}>
        {overview === undefined ? null : (
          <>
            {answer.isError ? (
              <Notice severity="medium" role="status">
                {t('OVERVIEW.OUTDATED', { time: formats.time(answer.dataUpdatedAt) })}
              </Notice>
            ) : null}
            <OverviewTiles overview={overview} now={now} />
            <div className="overview-columns">
              <AttentionList items={overview.attention} now={now} />
              {overview.audit === null ? null : (
                <Changes>
                  <RecentChanges entries={overview.audit} now={now} />
                </Changes>
              )}
            </div>
          </>
        )}
      </ListFrame>
    </div>
  );
}

/** Loads the overview again when maintenance or a list changes that it counts; returns what people meet now. */
function useReloads(): MaintenanceMode {
  const { live, maintenance } = useApp();
  const queries = useQueryClient();
  useEffect(() => {
    const reload = () => void queries.invalidateQueries({ queryKey: overviewKey });
    const stops = [
      live.on('changed', ({ list, within }) => {
        if (list === 'reports') setTimeout(reload, Math.random() * within);
      }),
      maintenance.state.subscribe(reload),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [live, maintenance, queries]);
  return useStore(maintenance.state).mode;
}

function Changes({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const heading = useId();
  return (
    <section className="overview-card" aria-labelledby={heading}>
      <h2 id={heading}>
        {t('OVERVIEW.CHANGES')}
        <Link to="/audit">{t('AUDIT.TITLE')}</Link>
      </h2>
      {children}
    </section>
  );
}

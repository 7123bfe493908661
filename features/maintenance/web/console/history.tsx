import type {
  MaintenanceAction,
  MaintenanceHistoryEntry,
  MaintenanceWindow,
} from '#features/maintenance/contract/windows.ts';
import type { PeopleNames } from '#features/people/contract/names.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useCan, useFormats } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import type { Formats } from '#web/platform/i18n/formats.ts';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { isFirstLoad, listState } from '#web/platform/lists/list-state.ts';
import { namedActor } from '#web/platform/named-person.ts';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { MoreRows } from '#web/ui/list-frame.tsx';
import { RetryNotice, Skeleton } from '#web/ui/states.tsx';
import { useServerNow } from '#web/platform/time/use-now.ts';
import { historyQuery, pastWindowsQuery } from './maintenance-queries.ts';
import { WindowTable } from './windows/window-table.tsx';
import { spanWords, withUtc } from './windows/window-times.ts';

type HistoryTabProps = { onOpen: (window: MaintenanceWindow) => void };

/** The past: the windows that are over, and everything that happened to maintenance. */
export function HistoryTab({ onOpen }: HistoryTabProps) {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <>
      <PastWindows onOpen={onOpen} />
      <section className="section" aria-labelledby="maintenance-history">
        <h2 id="maintenance-history">{t('MAINTENANCE.CONSOLE.HISTORY.TITLE')}</h2>
        <HistoryList windowId={null} />
        <HistoryLink subject="maintenance">{t('MAINTENANCE.CONSOLE.HISTORY.AUDIT')}</HistoryLink>
      </section>
      {can('SETTINGS_WRITE') ? (
        <p className="muted">
          {t('MAINTENANCE.CONSOLE.WEBHOOKS.TEXT')}{' '}
          <Link to="/webhooks">{t('MAINTENANCE.CONSOLE.WEBHOOKS.LINK')}</Link>
        </p>
      ) : null}
    </>
  );
}

/** The windows that are over, the last first. */
function PastWindows({ onOpen }: HistoryTabProps) {
  const { t } = useTranslation();
  const past = useInfiniteQuery(pastWindowsQuery);
  const windows = past.data?.pages.flatMap((page) => page.windows) ?? [];
  if (isFirstLoad(past)) return <Skeleton label={t('COMMON.LOADING')} kind="rows" count={2} />;
  const { more, retry } = listState(t, past);
  if (past.data === undefined)
    return <RetryNotice retry={retry}>{t('MAINTENANCE.CONSOLE.PAST_FAILED')}</RetryNotice>;
  if (windows.length === 0) return null;
  return (
    <WindowTable
      id="past-windows"
      title={t('MAINTENANCE.CONSOLE.PAST')}
      windows={windows}
      columns={[
        {
          key: 'lasted',
          header: t('MAINTENANCE.CONSOLE.COLUMNS.LASTED'),
          narrow: 'labelled',
          cell: (window) => <Lasted window={window} />,
        },
      ]}
      onOpen={onOpen}
    >
      {more === undefined ? null : <MoreRows {...more} />}
    </WindowTable>
  );
}

/** How long a window was in force, and how long it was planned for where that differs. */
function Lasted({ window: { phase, startsAt, endsAt, overAt } }: { window: MaintenanceWindow }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (phase !== 'ended' || overAt === null || overAt <= startsAt) return '–';
  const lasted = formats.duration(overAt - startsAt);
  const planned = formats.duration(endsAt - startsAt);
  return (
    <>
      {lasted}
      {lasted === planned ? null : (
        <small className="line muted">{t('MAINTENANCE.CONSOLE.STAGES.PLANNED_FOR', { time: planned })}</small>
      )}
    </>
  );
}

const icons: Record<MaintenanceAction, IconName> = {
  planned: 'plus',
  changed: 'edit',
  warned: 'warning',
  started: 'wrench',
  extended: 'clock',
  ended: 'check',
  cancelled: 'close',
  'text-removed': 'warning',
  phase: 'clock',
  switched: 'settings',
  notice: 'warning',
  'held-open': 'alert',
  'let-go': 'check',
};

/** The history, the latest first; of one window, or of everything. */
export function HistoryList({ windowId }: { windowId: string | null }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useServerNow();
  const history = useInfiniteQuery(historyQuery(windowId));
  const entries =
    history.data?.pages.flatMap(({ entries: some, names }) => some.map((entry) => ({ entry, names }))) ?? [];
  if (isFirstLoad(history)) return <Skeleton label={t('COMMON.LOADING')} count={3} />;
  const { more, retry } = listState(t, history);
  if (entries.length === 0)
    return history.isError || history.data === undefined ? (
      <RetryNotice retry={retry}>{t('MAINTENANCE.CONSOLE.HISTORY.FAILED')}</RetryNotice>
    ) : (
      <p className="muted">{t('MAINTENANCE.CONSOLE.HISTORY.EMPTY')}</p>
    );
  return (
    <>
      <ol className={windowId === null ? 'history divided panel' : 'history divided'}>
        {entries.map(({ entry, names }) => {
          const detail = detailInWords(t, formats, entry);
          return (
            <li key={entry.id}>
              <span className="sunk disc muted">
                <Icon name={icons[entry.deed]} size={14} />
              </span>
              <span className="stack gap-1 breaks">
                {deedInWords(t, formats, entry, names)}
                {detail === null ? null : <small className="muted lines">{detail}</small>}
              </span>
              <time
                className="history-time muted"
                dateTime={new Date(entry.at).toISOString()}
                title={formats.relative(entry.at, now)}
              >
                {formats.dateTime(entry.at)}
              </time>
            </li>
          );
        })}
      </ol>
      {more === undefined ? null : <MoreRows {...more} />}
    </>
  );
}

/** A history entry as a sentence: a person's action, or a phase that began. */
function deedInWords(
  t: TFunction,
  formats: Formats,
  entry: MaintenanceHistoryEntry,
  names: PeopleNames,
): string {
  const { deed, phase, mode, text, endsAt } = entry;
  const title = entry.title ?? '';
  const name = entry.by === null ? t('MAINTENANCE.CONSOLE.HISTORY.SOMEBODY') : namedActor(t, entry.by, names);
  const end = endsAt === null ? '' : formats.dateTime(endsAt);
  switch (deed) {
    case 'phase':
      return t(`MAINTENANCE.CONSOLE.HISTORY.PHASES.${catalogueKey(phase ?? 'scheduled')}`, { title });
    case 'switched':
      return t(`MAINTENANCE.CONSOLE.HISTORY.SWITCHED.${catalogueKey(mode ?? 'off')}`, { name });
    case 'notice': {
      const alone = changedAlone(entry);
      if (alone === 'severity')
        return t('MAINTENANCE.CONSOLE.HISTORY.SEVERITY_CHANGED', {
          name,
          before: t(`MAINTENANCE.CONSOLE.HISTORY.SEVERITIES.${entry.before?.severity ?? 'HIGH'}`),
          after: t(`MAINTENANCE.CONSOLE.HISTORY.SEVERITIES.${entry.severity ?? 'HIGH'}`),
        });
      if (alone === 'end')
        return t('MAINTENANCE.CONSOLE.HISTORY.END_CHANGED', {
          name,
          before: endInWords(t, formats, entry.before?.endsAt ?? null),
          after: endInWords(t, formats, endsAt),
        });
      // While maintenance is on, the expected end may have changed as well as the text.
      if (mode !== null && mode !== 'off') return t('MAINTENANCE.CONSOLE.HISTORY.NOTICE_CHANGED', { name });
      return t(
        text === null || text === ''
          ? 'MAINTENANCE.CONSOLE.HISTORY.NOTICE_REMOVED'
          : 'MAINTENANCE.CONSOLE.HISTORY.NOTICE_PUBLISHED',
        { name },
      );
    }
    default:
      return t(`MAINTENANCE.CONSOLE.HISTORY.DEEDS.${catalogueKey(deed)}`, { name, title, end });
  }
}

/** The single field that a change of the notice has changed; null: several fields, or the text. */
function changedAlone({
  before,
  text,
  severity,
  endsAt,
}: MaintenanceHistoryEntry): 'severity' | 'end' | null {
  if (before === null || before.text !== text) return null;
  const [isGraver, isLater] = [before.severity !== severity, before.endsAt !== endsAt];
  if (isGraver === isLater) return null;
  return isGraver ? 'severity' : 'end';
}

function endInWords(t: TFunction, formats: Formats, end: number | null): string {
  return end === null ? t('MAINTENANCE.CONSOLE.HISTORY.NO_END') : formats.dateTime(end);
}

/** What the sentence does not name: the notice's text, or the mode and times of the window after the change. */
function detailInWords(t: TFunction, formats: Formats, entry: MaintenanceHistoryEntry): string | null {
  const { deed, mode, text, startsAt, endsAt } = entry;
  if (deed === 'notice' || deed === 'switched') return text === null || text === '' ? null : text;
  if ((deed !== 'planned' && deed !== 'changed') || startsAt === null || endsAt === null) return null;
  const times = withUtc(t, spanWords(formats, startsAt, endsAt));
  return mode === null || mode === 'off'
    ? times
    : `${t(`MAINTENANCE.CONSOLE.WINDOW_MODES.${catalogueKey(mode)}.LABEL`)} · ${times}`;
}

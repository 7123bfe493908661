import type { MaintenanceWindow, WindowPhase } from '#features/maintenance/contract/windows.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import type { IconName } from '#web/ui/icon.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag, type TagKind } from '#web/ui/tag.tsx';
import { shortTime } from '../../time-words.ts';
import { useServerNow } from '#web/platform/time/use-now.ts';
import { notifiedFrom, phaseAt } from './phase-at.ts';
import { spanWords } from './window-times.ts';
import { useFormats } from '#web/platform/contexts.tsx';

type WindowTableProps = {
  id: string;
  title: string;
  windows: readonly MaintenanceWindow[];
  /** Further columns. */
  columns?: readonly Column<MaintenanceWindow>[];
  onOpen: (window: MaintenanceWindow) => void;
  /** Below the table. */
  children?: ReactNode;
};

/** A section with a list of windows. */
export function WindowTable({ id, title, windows, columns = [], onOpen, children }: WindowTableProps) {
  const { t } = useTranslation();
  const now = useServerNow();
  return (
    <section className="section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <Table
        caption={title}
        columns={[
          {
            key: 'title',
            header: t('MAINTENANCE.CONSOLE.COLUMNS.TITLE'),
            role: 'primary',
            cell: (window) => <strong dir="auto">{window.title}</strong>,
          },
          {
            key: 'phase',
            header: t('MAINTENANCE.CONSOLE.COLUMNS.PHASE'),
            role: 'beside',
            tight: true,
            cell: (window) => <PhaseTag phase={phaseAt(window, now)} />,
          },
          {
            key: 'when',
            header: t('MAINTENANCE.CONSOLE.COLUMNS.WHEN'),
            cell: ({ startsAt, endsAt, overAt, phase }) => (
              <Span startsAt={startsAt} endsAt={phase === 'ended' ? (overAt ?? endsAt) : endsAt} />
            ),
          },
          {
            key: 'mode',
            header: t('MAINTENANCE.CONSOLE.COLUMNS.MODE'),
            narrow: 'labelled',
            cell: ({ mode }) => t(`MAINTENANCE.CONSOLE.WINDOW_MODES.${catalogueKey(mode)}.LABEL`),
          },
          ...columns,
        ]}
        rows={windows}
        rowKey={(window) => window.id}
        open={{ act: onOpen }}
      />
      {children}
    </section>
  );
}

const looks: Record<WindowPhase, { kind: TagKind; icon: IconName }> = {
  scheduled: { kind: 'plain', icon: 'clock' },
  imminent: { kind: 'medium', icon: 'clock' },
  active: { kind: 'info', icon: 'wrench' },
  overdue: { kind: 'high', icon: 'alert' },
  ended: { kind: 'ok', icon: 'check' },
  cancelled: { kind: 'plain', icon: 'close' },
};

/** The phase of a window, in a word. */
export function PhaseTag({ phase }: { phase: WindowPhase }) {
  const { t } = useTranslation();
  return <Tag {...looks[phase]}>{t(`MAINTENANCE.CONSOLE.PHASES.${catalogueKey(phase)}`)}</Tag>;
}

/** The start and end of a window, in the reader's zone and below that in UTC. */
export function Span({ startsAt, endsAt }: { startsAt: number; endsAt: number }) {
  const { t } = useTranslation();
  const { time, utc } = spanWords(useFormats(), startsAt, endsAt);
  const inUtc = t('MAINTENANCE.CONSOLE.TIME.ONLY_UTC', { time: utc ?? time });
  return (
    <span className="span grid">
      {utc === null ? inUtc : time}
      {utc === null ? null : <small className="muted">{inUtc}</small>}
    </span>
  );
}

/** The time from which people are notified of a window. */
export function NotifiedFrom({ window }: { window: MaintenanceWindow }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useServerNow();
  const from = notifiedFrom(window);
  return from === null ? t('MAINTENANCE.CONSOLE.COLUMNS.NO_LEAD') : shortTime(formats, from, now);
}

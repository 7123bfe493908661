import { type ReportSummary, reportTab, type ReportTab } from '#features/feedback/contract/inbox.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '#web/ui/icon.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Face } from '#features/directory/web/person-choice.tsx';
import { ReportStatusTag } from '../report/report-status-tag.tsx';
import { countNarrowing, isUnderWay } from './inbox-filter.ts';
import { InboxIcon } from './inbox-icon.tsx';
import { LabelTags } from './choices.tsx';
import type { Inbox } from './use-inbox.ts';
import { useFormats } from '#web/platform/contexts.tsx';

/** The inbox's list: each row is a link to its report, with a box that selects it. */
export function ReportList({ inbox, now }: { inbox: Inbox; now: number }) {
  const { t } = useTranslation();
  const { rows, held, toggle, isSelected } = inbox;
  const { list, current, rowLink } = inbox.detail;
  return (
    <ul
      ref={list}
      className="list-beside-rows panel"
      aria-label={t('REPORTS.TITLE')}
      data-selecting={inbox.selected.length > 0}
    >
      {rows.map((report) => (
        <li key={report.id} className="relative" data-selected={isSelected(report.id)}>
          <label className="inbox-pick centered">
            <input
              type="checkbox"
              tabIndex={report.id === current ? 0 : -1}
              aria-label={t('REPORTS.SELECT.ONE', { number: report.number })}
              checked={isSelected(report.id)}
              onChange={(event) =>
                toggle(report.id, (event.nativeEvent as MouseEvent | KeyboardEvent).shiftKey)
              }
            />
            <Face name={senderOf(report)} />
          </label>
          <a
            className={`list-beside-row opens inbox-row ${held.left.has(report.id) ? 'muted' : ''}`}
            href={`?${new URLSearchParams({ report: report.id })}`}
            {...rowLink(report.id)}
          >
            <RowContent report={report} left={held.left.has(report.id)} now={now} />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Labels that a row shows; the others are counted. */
const mostLabels = 2;

function RowContent({ report, left, now }: { report: ReportSummary; left: boolean; now: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { assignee, labels, pictures, replies, notes } = report;
  const title = titleOf(report.excerpt);
  return (
    <>
      <span className="row baseline shrinks">
        {isUnanswered(report) ? (
          <span className="inbox-unanswered dot" title={t('REPORTS.UNANSWERED')}>
            <span className="visually-hidden">{t('REPORTS.UNANSWERED')}</span>
          </span>
        ) : null}
        <span className="shrinks cut strong" dir="auto">
          {senderOf(report) ?? t('REPORTS.UNNAMED')}
        </span>
        <span className="rigid muted small">{`#${report.number}`}</span>
        <time
          className="end rigid muted small"
          dateTime={new Date(report.createdAt).toISOString()}
          title={formats.exact(report.createdAt)}
        >
          {formats.relative(report.createdAt, now)}
        </time>
      </span>
      <span className="two-lines breaks" dir="auto">
        {title}
        <span className="muted">{report.excerpt.slice(title.length)}</span>
      </span>
      <span className="row wrap gap-1-2 shrinks small">
        <ReportStatusTag status={report.status} />
        {report.lastWord === 'operator' && isUnderWay(report.status) && report.snoozedUntil === null ? (
          <span className="muted">{t('REPORTS.WAITING_FOR_REPORTER')}</span>
        ) : null}
        {report.snoozedUntil === null ? null : (
          <span className="muted">
            {t('REPORTS.SNOOZE.UNTIL', { when: formats.dateTime(report.snoozedUntil) })}
          </span>
        )}
        {left ? <span className="muted">{t('REPORTS.LEFT')}</span> : null}
        <LabelTags labels={labels.slice(0, mostLabels)} />
        {labels.length > mostLabels ? (
          <span
            className="muted"
            title={formats.list(labels.slice(mostLabels))}
          >{`+${labels.length - mostLabels}`}</span>
        ) : null}
        <span className="row end gap-2 muted">
          {(
            [
              ['REPORTS.PICTURES', pictures, <Icon key="image" name="image" size={14} />],
              ['REPORTS.REPLIES', replies, <InboxIcon key="reply" name="reply" size={14} />],
              ['REPORTS.NOTES', notes, <InboxIcon key="note" name="note" size={14} />],
            ] as const
          ).map(([text, count, icon]) => (
            <Mark key={text} {...{ text, count, icon }} />
          ))}
          {assignee === null ? null : (
            <span title={t('REPORTS.FILTER.ASSIGNED', { name: assignee.name })}>
              <Face name={assignee.name} small />
              <span className="visually-hidden">{t('REPORTS.FILTER.ASSIGNED', { name: assignee.name })}</span>
            </span>
          )}
        </span>
      </span>
    </>
  );
}

/** The first sentence of a report. */
function titleOf(excerpt: string): string {
  return /^.{5,}?[.!?](?=\s)/.exec(excerpt)?.[0] ?? excerpt;
}

function Mark({ icon, count, text }: { icon: ReactNode; count: number; text: string }) {
  const { t } = useTranslation();
  if (count === 0) return null;
  const words = t(text, { count });
  return (
    <span className="inline-row gap-1" title={words}>
      {icon}
      <span aria-hidden="true">{count}</span>
      <span className="visually-hidden">{words}</span>
    </span>
  );
}

/** Whether the reporter waits for a word of an operator. */
export function isUnanswered({ status, lastWord }: Pick<ReportSummary, 'status' | 'lastWord'>): boolean {
  return lastWord === 'reporter' && isUnderWay(status);
}

/** The sender's name or email, as given in the report; null without both. */
export function senderOf({ name, email }: { name: string; email: string }): string | null {
  if (name !== '') return name;
  return email === '' ? null : email;
}

/** Why the list is empty, and where else the filter finds something. */
export function NothingFound({ inbox, tabs }: { inbox: Inbox; tabs: Record<ReportTab, number> }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { filter, setFilter, clear } = inbox;
  const others = reportTab.options.filter((tab) => tab !== filter.tab && tab !== 'mine' && tabs[tab] > 0);
  if (filter.search !== '' || countNarrowing(filter) > 0)
    return (
      <EmptyState
        icon="search"
        title={t('REPORTS.NOTHING_FOUND.TITLE')}
        action={
          <span className="row wrap">
            {others.map((tab) => (
              <Button key={tab} onClick={() => setFilter({ tab, status: '' })}>
                {t('REPORTS.COUNTED', {
                  status: t(`REPORTS.TABS.${catalogueKey(tab)}`),
                  number: formats.number(tabs[tab]),
                })}
              </Button>
            ))}
            <Button onClick={clear}>{t('REPORTS.NOTHING_FOUND.ACTION')}</Button>
          </span>
        }
      >
        {others.length === 0 ? t('REPORTS.NOTHING_FOUND.TEXT') : t('REPORTS.NOTHING_FOUND.ELSEWHERE')}
      </EmptyState>
    );
  if (Object.values(tabs).every((count) => count === 0))
    return (
      <EmptyState icon="inbox" title={t('REPORTS.EMPTY.TITLE')}>
        {t('REPORTS.EMPTY.TEXT', { button: t('SHELL.REPORT_BUG.TRIGGER') })}
      </EmptyState>
    );
  const key = catalogueKey(filter.tab);
  return (
    <EmptyState
      icon={filter.tab === 'open' || filter.tab === 'mine' ? 'check-circle' : 'inbox'}
      title={t(`REPORTS.EMPTY_TABS.${key}.TITLE`)}
    >
      {t(`REPORTS.EMPTY_TABS.${key}.TEXT`)}
    </EmptyState>
  );
}

import { getOwnReport, replyToOwnReport } from '#features/feedback/contract/conversation.ts';
import { conversationLimits } from '#features/feedback/contract/messages.ts';
import { listOwnReports, type OwnReport } from '#features/feedback/contract/own-reports.ts';
import { type InfiniteData, infiniteQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { routePages, routeQuery } from '#web/platform/calls/route-query.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi, useCurrentUser, useFormats } from '#web/platform/contexts.tsx';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import { Time } from '#web/ui/time.tsx';
import { Face } from '#features/directory/web/person-choice.tsx';
import { Pictures } from '../report/pictures/pictures.tsx';
import { ReportAddress } from '../report/report-address.tsx';
import { ReportStatusTag } from '../report/report-status-tag.tsx';
import { useSentUnder } from '../report/sent-under.ts';
import { seenNews } from './seen-news.ts';
import type { AnswerOf } from '#contract/route.ts';

const ownReportsKey = ['own-reports'] as const;
type PageOfOwnReports = AnswerOf<typeof listOwnReports>;

const every = 60_000;
const everyWhileLive = 300_000;

/**
 * The reports of the signed-in person, the newest first, in pages; reloaded every minute, on return to the
 * tab, and when the screen is opened.
 *
 * @param live changes arrive by live events: a reload every five minutes is enough
 */
export const ownReportsQuery = (live: boolean) =>
  infiniteQueryOptions({
    ...routePages(ownReportsKey, listOwnReports, { params: { userId: 'current' } }),
    refetchInterval: live ? everyWhileLive : every,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });

/** An own report with its replies and changes of status, oldest first, and a field for a reply. */
export function ReportThread({ report: listed }: { report: OwnReport }) {
  const { t } = useTranslation();
  const report = useWholeReport(listed);
  const person = useCurrentUser()?.id ?? '';
  // What was new when the report was opened stays marked while it is open.
  const [since] = useState(() => seenNews.until(person, report));
  useEffect(() => {
    const see = () => {
      if (document.visibilityState === 'visible') seenNews.see(person, report);
    };
    see();
    document.addEventListener('visibilitychange', see);
    return () => document.removeEventListener('visibilitychange', see);
  }, [person, report]);
  const entries = entriesOf(report);
  const firstNew = entries.findIndex((entry) => entry.at > since && entry.from !== 'reporter');
  return (
    <div className="my-report-content stack gap-4">
      <ol className="my-talk stack" aria-label={t('MY_REPORTS.TALK')} aria-live="polite">
        <li className="stack">
          <Message at={report.createdAt} text={report.message}>
            {report.attachments.length === 0 ? null : <Pictures pictures={report.attachments} />}
            {report.url === '' ? null : (
              <p className="muted small breaks">
                <span>{t('MY_REPORTS.PAGE')}</span> <ReportAddress url={report.url} />
              </p>
            )}
          </Message>
        </li>
        {entries.map((entry, index) => (
          <li key={entry.key} className="stack">
            {index === firstNew ? (
              <p className="my-talk-new row gap-3 small strong">{t('RECENT_REPORTS.NEW')}</p>
            ) : null}
            {entry.is === 'status' ? (
              <StatusLine at={entry.at} status={entry.status} />
            ) : (
              <Message
                at={entry.at}
                text={entry.text}
                {...(entry.from === 'reporter' ? {} : { by: entry.by })}
              />
            )}
          </li>
        ))}
      </ol>
      <OwnReplyForm report={report} />
    </div>
  );
}

/** Lists hold only the last replies; the others are loaded once the report is opened. */
function useWholeReport(report: OwnReport): OwnReport {
  const whole = useQuery({
    ...routeQuery([...ownReportsKey, report.id, report.changedAt], getOwnReport, {
      params: { userId: 'current', reportId: report.id },
    }),
    enabled: report.replyCount > report.replies.length,
  });
  return whole.data ?? report;
}

type Entry = { key: string; at: number } & (
  | { is: 'status'; from: 'operator'; status: OwnReport['status'] }
  | { is: 'reply'; from: 'operator' | 'reporter'; by: string | null; text: string }
);

/** Replies and changes of status in order of time, without the first status: that the report was sent. */
function entriesOf({ replies, history }: OwnReport): Entry[] {
  const all: Entry[] = [
    ...replies.map(({ id, at, from, by, text }) => ({ key: id, at, is: 'reply' as const, from, by, text })),
    ...history.slice(1).map(({ at, status }) => ({
      key: `${at} ${status}`,
      at,
      is: 'status' as const,
      from: 'operator' as const,
      status,
    })),
  ];
  return all.toSorted(
    (one, other) => one.at - other.at || Number(one.is === 'status') - Number(other.is === 'status'),
  );
}

type MessageProps = {
  at: number;
  /** The operator's name; null: an operator without a name; omitted: the person wrote the message. */
  by?: string | null;
  text: string;
  children?: ReactNode;
};

function Message({ at, by, text, children }: MessageProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const isOwn = by === undefined;
  const name = isOwn ? t('MY_REPORTS.YOU') : (by ?? t('MY_REPORTS.TEAM'));
  return (
    <article className="my-talk-message panel stack gap-2" data-from={isOwn ? 'reporter' : 'operator'}>
      <header>
        {isOwn ? null : <Face name={name} small />}
        <strong dir="auto">{name}</strong>
        <span className="muted">
          <Time at={at} formats={formats} />
        </span>
      </header>
      <p className="report-message measure prose lines breaks" dir="auto">
        {text}
      </p>
      {children}
    </article>
  );
}

function StatusLine({ at, status }: { at: number; status: OwnReport['status'] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <p className="my-talk-status gap-0-2 row wrap muted small">
      <ReportStatusTag status={status} />
      <span>{t(`MY_REPORTS.MEANS.${catalogueKey(status)}`)}</span>
      <span className="muted">
        <Time at={at} formats={formats} />
      </span>
    </p>
  );
}

/** The reply form of a reporter; its text survives a reload. */
function OwnReplyForm({ report }: { report: OwnReport }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const under = useSentUnder();
  const field = useRef<HTMLTextAreaElement>(null);
  const form = useVersionedForm({
    saved: { values: { text: '' } },
    storedAs: `my-report:${report.id}`,
    save: ({ text }) =>
      api.call(replyToOwnReport, {
        params: { reportId: report.id },
        body: { text, eventId: under.idOf(text) },
      }),
    next: () => ({ values: { text: '' } }),
    onSaved(saved) {
      under.stored();
      queries.setQueryData<InfiniteData<PageOfOwnReports>>(
        ownReportsKey,
        (now) =>
          now && {
            ...now,
            pages: now.pages.map((page) => ({
              ...page,
              reports: page.reports.map((one) => (one.id === saved.id ? saved : one)),
            })),
          },
      );
    },
    // The reply may be stored although its answer was lost: the conversation then shows it.
    onRefused: () => void queries.invalidateQueries({ queryKey: ownReportsKey }),
  });
  const empty = form.values.text.trim() === '';
  const isDone = ['resolved', 'closed', 'duplicate'].includes(report.status);
  const send = () => (empty ? field.current?.focus() : form.save());
  return (
    <form
      className="my-reply stack gap-2"
      aria-label={t('MY_REPORTS.REPLY.LABEL')}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextArea
        ref={field}
        rows={2}
        aria-label={t('MY_REPORTS.REPLY.LABEL')}
        placeholder={t('MY_REPORTS.REPLY.PLACEHOLDER')}
        maxLength={conversationLimits.text}
        readOnly={form.busy}
        {...form.field('text')}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing)
            return;
          event.preventDefault();
          send();
        }}
      />
      {form.error === null ? null : (
        <Notice severity="high" role="alert">
          {problemText(t, form.error)} {t('MY_REPORTS.REPLY.KEPT')}
        </Notice>
      )}
      <div className="row wrap between">
        <span className="muted">{isDone ? t('MY_REPORTS.REPLY.REOPENS') : null}</span>
        <Button tone="primary" type="submit" busy={form.busy} aria-disabled={empty}>
          {t('MY_REPORTS.REPLY.SEND')}
        </Button>
      </div>
    </form>
  );
}

import { addNote, replyToReport } from '#features/feedback/contract/conversation.ts';
import { conversationLimits } from '#features/feedback/contract/messages.ts';
import type { FullReport } from '#features/feedback/contract/inbox.ts';
import type { ReportStatus } from '#features/feedback/contract/own-reports.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { TextArea } from '#web/ui/text-input.tsx';
import { useSentUnder } from '../report/sent-under.ts';
import { isUnderWay } from './inbox-filter.ts';
import { InboxIcon } from './inbox-icon.tsx';
import { senderOf } from './report-list.tsx';
import { reportQuery, reportsKey } from './reports-queries.ts';

type Mode = 'reply' | 'note';
type Draft = { mode: Mode; text: string };
type ComposerProps = {
  report: FullReport;
  /** Called when a reply has set another status; `before` is the previous status. */
  onAnswered: (report: FullReport, before: ReportStatus) => void;
};

/** The field for a reply or an internal note; its text survives a reload and a switch to another report. */
export function Composer({ report, onAnswered }: ComposerProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const field = useRef<HTMLTextAreaElement>(null);
  const under = useSentUnder();
  // The status when the message was sent: a live event can bring the new status before the answer arrives.
  const sent = useRef<{ mode: Mode; over: ReportStatus }>({ mode: 'reply', over: report.status });
  const form = useVersionedForm<Draft, FullReport, { status: ReportStatus | undefined }>({
    saved: { values: { mode: 'reply', text: '' } },
    storedAs: `report-composer:${report.id}`,
    same: (one, other) => one.text === other.text,
    readStored: ({ mode, text }) => ({ mode: mode === 'note' ? mode : 'reply', text }),
    save: ({ mode, text }, _version, { status }) => {
      sent.current = { mode, over: report.status };
      const body = { text, eventId: under.idOf(text) };
      const params = { reportId: report.id };
      return mode === 'note'
        ? api.call(addNote, { params, body })
        : api.call(replyToReport, { params, body: { ...body, ...(status === undefined ? {} : { status }) } });
    },
    next: () => ({ values: { mode: sent.current.mode, text: '' } }),
    onSaved(saved) {
      const { mode, over } = sent.current;
      under.stored();
      requestAnimationFrame(() =>
        document.querySelector('.talk > :last-child')?.scrollIntoView({ block: 'center' }),
      );
      queries.setQueryData(reportQuery(report.id).queryKey, saved);
      void queries.invalidateQueries({ queryKey: reportsKey });
      if (mode === 'reply' && saved.status !== over) onAnswered(saved, over);
      else
        notify({
          kind: 'success',
          key: 'report-sent',
          title: t(mode === 'note' ? 'REPORTS.COMPOSER.NOTED' : 'REPORTS.COMPOSER.SENT'),
        });
    },
    // The message may be stored although its answer was lost: the conversation then shows it.
    onRefused: () => void queries.invalidateQueries({ queryKey: reportsKey }),
  });
  const { mode } = form.values;
  const empty = form.values.text.trim() === '';
  const isOpen = isUnderWay(report.status);

  function send(status?: ReportStatus): void {
    if (empty) field.current?.focus();
    else form.save({ status });
  }

  function press(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send(event.shiftKey && mode === 'reply' && isOpen ? 'resolved' : undefined);
    } else if (event.key === 'Escape' && empty) field.current?.blur();
  }

  return (
    <form
      className="composer stack gap-2"
      data-mode={mode}
      data-typed={!empty || form.error !== null}
      aria-label={t('REPORTS.COMPOSER.LABEL')}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className="row gap-1" role="group" aria-label={t('REPORTS.COMPOSER.MODE')}>
        {(['reply', 'note'] as const).map((one) => (
          <button
            key={one}
            type="button"
            className="composer-mode inline-row muted small strong"
            data-mode={one}
            aria-pressed={one === mode}
            onClick={() => {
              form.set({ mode: one });
              field.current?.focus();
            }}
          >
            {one === 'reply' ? <InboxIcon name="reply" size={14} /> : <Icon name="lock" size={14} />}
            {t(one === 'reply' ? 'REPORTS.COMPOSER.REPLY' : 'REPORTS.COMPOSER.NOTE')}
          </button>
        ))}
      </div>
      <TextArea
        ref={field}
        rows={1}
        aria-label={t(mode === 'reply' ? 'REPORTS.COMPOSER.REPLY' : 'REPORTS.COMPOSER.NOTE')}
        placeholder={t(mode === 'reply' ? 'REPORTS.COMPOSER.REPLY_TO' : 'REPORTS.COMPOSER.NOTE_TO', {
          name: senderOf(report) ?? t('REPORTS.COMPOSER.SENDER'),
        })}
        maxLength={conversationLimits.text}
        readOnly={form.busy}
        {...form.field('text')}
        onKeyDown={press}
      />
      {form.error === null ? null : (
        <Notice severity="high" role="alert">
          {problemText(t, form.error)} {t('REPORTS.COMPOSER.KEPT')}
        </Notice>
      )}
      <div className="composer-foot middle wrap between gap-2">
        <Reach report={report} mode={mode} length={form.values.text.length} />
        <span className="row wrap to-end">
          {mode === 'reply' && isOpen ? (
            <Button small busy={form.busy} aria-disabled={empty} onClick={() => send('resolved')}>
              {t('REPORTS.COMPOSER.SEND_RESOLVE')}
            </Button>
          ) : null}
          <Button small tone="primary" type="submit" busy={form.busy} aria-disabled={empty}>
            {t(mode === 'reply' ? 'REPORTS.COMPOSER.SEND' : 'REPORTS.COMPOSER.ADD_NOTE')}
          </Button>
        </span>
      </div>
    </form>
  );
}

/** Whom the text reaches, and how; near its end, how much may still be typed. */
function Reach({ report, mode, length }: { report: FullReport; mode: Mode; length: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { replyReaches: reaches, email } = report;
  const left = conversationLimits.text - length;
  const sender = t('REPORTS.COMPOSER.SENDER');
  // The name starts a sentence.
  const name = senderOf(report) ?? sender.charAt(0).toLocaleUpperCase() + sender.slice(1);
  const words =
    mode === 'note'
      ? t('REPORTS.COMPOSER.REACHES.NOTE')
      : reaches.includes('mail')
        ? t(
            reaches.includes('my-reports')
              ? 'REPORTS.COMPOSER.REACHES.BOTH'
              : 'REPORTS.COMPOSER.REACHES.MAIL',
            { name, email: email === '' ? t('REPORTS.COMPOSER.OWN_ADDRESS') : email },
          )
        : t(
            reaches.includes('my-reports')
              ? 'REPORTS.COMPOSER.REACHES.MY_REPORTS'
              : 'REPORTS.COMPOSER.REACHES.NOBODY',
            { name },
          );
  return (
    <span className={`composer-reach ${mode === 'reply' && reaches.length === 0 ? 'medium' : 'muted'} small`}>
      {words}
      {left < 200 ? ` ${t('REPORTS.COMPOSER.LEFT', { count: left, number: formats.number(left) })}` : ''}
    </span>
  );
}

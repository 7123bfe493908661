import { conversationLimits } from '#features/feedback/contract/messages.ts';
import { replyToOwnReport } from '#features/feedback/contract/own-conversation.ts';
import type { OwnReport } from '#features/feedback/contract/own-reports.ts';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import { useSentUnder } from '../report/sent-under.ts';
import { ownReportsKey, type PageOfOwnReports } from './own-reports-query.ts';

/** The reply form of a reporter; its text survives a reload. */
export function OwnReplyForm({ report }: { report: OwnReport }) {
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
    // What was sent may have arrived although its answer was lost: the conversation shows it then.
    onRefused: () => void queries.invalidateQueries({ queryKey: ownReportsKey }),
  });
  const empty = form.values.text.trim() === '';
  const isDone = ['resolved', 'closed', 'duplicate'].includes(report.status);
  const send = () => (empty ? field.current?.focus() : form.save());
  return (
    <form
      className="my-reply"
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
        value={form.values.text}
        onValue={(text) => form.set({ text })}
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
      <div className="my-reply-foot">
        <span className="muted">{isDone ? t('MY_REPORTS.REPLY.REOPENS') : null}</span>
        <Button tone="primary" type="submit" busy={form.busy} aria-disabled={empty}>
          {t('MY_REPORTS.REPLY.SEND')}
        </Button>
      </div>
    </form>
  );
}

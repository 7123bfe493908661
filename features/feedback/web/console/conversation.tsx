import { editNote, removeNote } from '#features/feedback/contract/conversation.ts';
import { conversationLimits, type ReportMessage } from '#features/feedback/contract/messages.ts';
import type { FullReport, ReportChange } from '#features/feedback/contract/inbox.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi, useCan, useCurrentUser, useFormats } from '#web/platform/contexts.tsx';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { namedActor } from '#web/platform/named-person.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Problem } from '#web/ui/notice.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import { useNow } from '#web/platform/time/use-now.ts';
import { Face } from '#features/directory/web/person-choice.tsx';
import { useStatusWord } from '../report/report-status-tag.tsx';
import { conversationEntries } from './conversation-entries.ts';
import { reportQuery } from './reports-queries.ts';
import { senderOf } from './report-list.tsx';

/** Replies, internal notes, and the changes between them, oldest first. */
export function Conversation({ report }: { report: FullReport }) {
  const { t } = useTranslation();
  const entries = conversationEntries(report);
  if (entries.length === 0) return null;
  return (
    <ol className="talk section-divided stack gap-4" aria-label={t('REPORTS.TALK.TITLE')}>
      {entries.map((entry) => (
        <li key={entry.is === 'message' ? entry.message.id : `${entry.at} ${entry.changes[0]?.what}`}>
          {entry.is === 'message' ? (
            <Message report={report} message={entry.message} />
          ) : (
            <Changes report={report} at={entry.at} by={entry.by} changes={entry.changes} />
          )}
        </li>
      ))}
    </ol>
  );
}

function Message({ report, message }: { report: FullReport; message: ReportMessage }) {
  const { t } = useTranslation();
  const own = useCurrentUser()?.id;
  const mayWrite = useCan()('REPORTS_WRITE');
  const [doing, setDoing] = useState<'edit' | 'remove' | null>(null);
  const { kind, from, text, at, editedAt, by, authorId } = message;
  const name =
    from === 'reporter' ? (senderOf(report) ?? t('REPORTS.UNNAMED')) : namedActor(t, by, report.names);
  const isOwnNote = kind === 'note' && mayWrite && authorId !== null && authorId === own;
  return (
    <article className="talk-message grid led gap-3" data-kind={kind} data-from={from}>
      <Face name={name} />
      <div className="talk-body stack gap-2px">
        <header className="talk-head row wrap gap-0-2">
          <strong dir="auto">{name}</strong>
          {kind === 'note' ? (
            <span className="inline-row gap-1 medium small strong">
              <Icon name="lock" size={12} />
              {t('REPORTS.TALK.NOTE')}
            </span>
          ) : null}
          <span className="muted small">
            <RelativeTime at={at} />
            {editedAt === null ? null : ` · ${t('REPORTS.TALK.EDITED')}`}
          </span>
          {isOwnNote && doing !== 'edit' ? (
            <span className="flex end">
              <IconButton
                small
                icon="edit"
                label={t('REPORTS.TALK.EDIT_NOTE')}
                onClick={() => setDoing('edit')}
              />
              <IconButton
                small
                icon="trash"
                label={t('REPORTS.TALK.REMOVE_NOTE')}
                onClick={() => setDoing('remove')}
              />
            </span>
          ) : null}
        </header>
        {doing === 'edit' ? (
          <NoteForm report={report} message={message} onClose={() => setDoing(null)} />
        ) : (
          <p className="talk-text measure lines breaks" dir="auto">
            {text}
          </p>
        )}
      </div>
      {doing === 'remove' ? (
        <RemoveNote report={report} message={message} onClose={() => setDoing(null)} />
      ) : null}
    </article>
  );
}

type NoteProps = { report: FullReport; message: ReportMessage; onClose: () => void };

/** Returns a function that puts the report of an answer into the query cache. */
function useTakeReport() {
  const queries = useQueryClient();
  return (report: FullReport) => queries.setQueryData(reportQuery(report.id).queryKey, report);
}

function NoteForm({ report, message, onClose }: NoteProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const api = useApi();
  const take = useTakeReport();
  const form = useVersionedForm({
    saved: { values: { text: message.text } },
    storedAs: `report-note:${message.id}`,
    save: (body) => api.call(editNote, { params: { reportId: report.id, messageId: message.id }, body }),
    onSaved(saved) {
      take(saved);
      onClose();
    },
  });
  return (
    <form
      className="stack gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        form.save();
      }}
    >
      <TextArea
        ref={field}
        aria-label={t('REPORTS.TALK.NOTE')}
        rows={3}
        maxLength={conversationLimits.text}
        {...form.field('text')}
      />
      <Problem>{form.error === null ? null : problemText(t, form.error)}</Problem>
      <div className="row wrap">
        <Button small tone="primary" type="submit" busy={form.busy} disabled={form.values.text.trim() === ''}>
          {t('REPORTS.TALK.SAVE_NOTE')}
        </Button>
        <Button
          small
          tone="quiet"
          onClick={() => {
            form.forget();
            onClose();
          }}
        >
          {t('COMMON.CANCEL')}
        </Button>
      </div>
    </form>
  );
}

function RemoveNote({ report, message, onClose }: NoteProps) {
  const { t } = useTranslation();
  const api = useApi();
  const take = useTakeReport();
  const removing = useMutation({
    mutationFn: () => api.call(removeNote, { params: { reportId: report.id, messageId: message.id } }),
  });
  return (
    <ConfirmAction
      title={t('REPORTS.TALK.REMOVE_QUESTION')}
      confirmLabel={t('REPORTS.TALK.REMOVE_ACTION')}
      tone="danger"
      action={() => removing.mutateAsync()}
      problem={(error) => problemText(t, error)}
      onDone={(saved) => {
        onClose();
        take(saved);
      }}
      onCancel={onClose}
    >
      <p>{t('REPORTS.TALK.REMOVE_TEXT')}</p>
    </ConfirmAction>
  );
}

type ChangesProps = { report: FullReport; at: number; by: string; changes: readonly ReportChange[] };

/** What one person changed, in one small line. */
function Changes({ report, at, by, changes }: ChangesProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useChangeWords();
  const name = by === '' ? null : namedActor(t, by, report.names);
  // The link to the original already shows that the report is a duplicate.
  const linked = changes.some(({ what, after }) => what === 'duplicate' && after !== null);
  const said = changes.filter((one) => !linked || one.what !== 'status' || one.after !== 'duplicate');
  return (
    <p className="talk-changes flex gap-0-2 wrap muted small">
      <span>
        {name === null ? null : <strong dir="auto">{name}</strong>}{' '}
        {formats.list(said.flatMap((change) => words(change)))}
      </span>
      <span className="muted">
        <RelativeTime at={at} />
      </span>
    </p>
  );
}

/** Describes a change, in words that follow the name of its author. */
function useChangeWords(): (change: ReportChange) => string[] {
  const { t } = useTranslation();
  const formats = useFormats();
  const status = useStatusWord();
  return (change) => {
    switch (change.what) {
      case 'status':
        return [t('REPORTS.CHANGES.STATUS', { status: status(change.after) })];
      case 'assignee':
        return [
          change.after === null
            ? t('REPORTS.CHANGES.NOBODY')
            : t('REPORTS.CHANGES.ASSIGNEE', { name: change.after.name }),
        ];
      case 'labels': {
        const added = change.after.filter((label) => !change.before.includes(label));
        const removed = change.before.filter((label) => !change.after.includes(label));
        return [
          ...(added.length === 0
            ? []
            : [t('REPORTS.CHANGES.LABELLED', { count: added.length, labels: formats.list(added) })]),
          ...(removed.length === 0
            ? []
            : [t('REPORTS.CHANGES.UNLABELLED', { count: removed.length, labels: formats.list(removed) })]),
        ];
      }
      case 'snoozed':
        return [
          change.after === null
            ? t('REPORTS.CHANGES.AWAKE')
            : t('REPORTS.CHANGES.SNOOZED', { when: formats.dateTime(change.after) }),
        ];
      case 'duplicate': {
        if (change.after === null) return [t('REPORTS.CHANGES.NO_DUPLICATE')];
        const { number } = change.after;
        return [
          number === null
            ? t('REPORTS.CHANGES.DUPLICATE_OF_DELETED')
            : t('REPORTS.CHANGES.DUPLICATE', { number }),
        ];
      }
    }
  };
}

/** A time relative to now. Unlike `Time` it is not a button, since the reply field may cover part of it. */
export function RelativeTime({ at }: { at: number }) {
  const formats = useFormats();
  const now = useNow(30_000);
  return (
    <time dateTime={new Date(at).toISOString()} title={formats.exact(at)}>
      {formats.relative(at, now)}
    </time>
  );
}

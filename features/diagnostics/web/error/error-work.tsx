import {
  addErrorComment,
  errorLimits,
  type ErrorComment,
  type FullError,
  removeErrorComment,
  setErrorAssignee,
} from '#features/diagnostics/contract/diagnostics.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi, useCan, useCurrentUser, useFormats } from '#web/platform/contexts.tsx';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { Face, PersonChoice } from '#features/directory/web/person-choice.tsx';
import { namedActor } from '#web/platform/named-person.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Problem } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { Popover } from '#web/ui/popover.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import { Time } from '#web/ui/time.tsx';
import { errorAssigneesQuery, errorsKey } from '../errors-queries.ts';

/** The person who works on the error, and a button for people who may change that. */
export function ErrorAssignee({ error }: { error: FullError }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const mayWrite = useCan()('DIAGNOSTICS_WRITE');
  const { assignee } = error;
  const assigning = useMutation({
    mutationFn: (assigneeId: string | null) =>
      api.call(setErrorAssignee, {
        params: { errorId: error.id },
        body: { assigneeId, version: error.version },
      }),
    onError: (problem) =>
      notify({
        kind: 'error',
        title: t('DIAGNOSTICS.NOT_CHANGED'),
        content: problemText(t, problem) ?? '',
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: errorsKey }),
  });
  const name = assignee?.name ?? t('DIAGNOSTICS.ASSIGNEE.NOBODY');
  const who = (
    <>
      <Face name={assignee?.name ?? null} small />
      <span className="cut">{name}</span>
      {assignee?.active === false ? (
        <span className="medium" title={t('DIAGNOSTICS.ASSIGNEE.INACTIVE')}>
          <Icon name="warning" size={12} />
          <span className="visually-hidden">{t('DIAGNOSTICS.ASSIGNEE.INACTIVE')}</span>
        </span>
      ) : null}
    </>
  );
  if (!mayWrite) return <span className="row gap-2">{who}</span>;
  return (
    <Popover
      label={t('DIAGNOSTICS.ASSIGNEE.ASSIGNED', { name })}
      buttonClassName="button button-small button-quiet error-assignee"
      isPrivate
      button={
        <>
          {who}
          <Icon name="chevron-down" size={12} />
        </>
      }
    >
      {(close) => (
        <PersonChoice
          texts="DIAGNOSTICS.ASSIGNEE"
          find={(words) => errorAssigneesQuery(words)}
          chosen={assignee?.id ?? null}
          onChoose={(person) => {
            close();
            if (person?.id !== assignee?.id) assigning.mutate(person?.id ?? null);
          }}
        />
      )}
    </Popover>
  );
}

/** The comments of operators on the error, oldest first, and a field for a new one. */
export function ErrorComments({ error }: { error: FullError }) {
  const { t } = useTranslation();
  const mayWrite = useCan()('DIAGNOSTICS_WRITE');
  if (error.comments.length === 0 && !mayWrite) return null;
  return (
    <section className="section section-divided" aria-labelledby="error-comments">
      <h2 id="error-comments">{t('DIAGNOSTICS.COMMENTS.TITLE')}</h2>
      {error.comments.length === 0 ? null : (
        <ul className="stack gap-3">
          {error.comments.map((comment) => (
            <li key={comment.id}>
              <Comment error={error} comment={comment} />
            </li>
          ))}
        </ul>
      )}
      {mayWrite ? <CommentForm error={error} /> : null}
    </section>
  );
}

function Comment({ error, comment }: { error: FullError; comment: ErrorComment }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const api = useApi();
  const queries = useQueryClient();
  const own = useCurrentUser()?.id;
  const [removing, setRemoving] = useState(false);
  const name = namedActor(t, comment.by, error.names);
  return (
    <article className="grid led gap-2">
      <Face name={name} small />
      <div className="stack gap-1">
        <header className="row wrap gap-2">
          <strong dir="auto">{name}</strong>
          <span className="muted small">
            <Time at={comment.at} formats={formats} />
          </span>
          {comment.authorId !== null && comment.authorId === own ? (
            <IconButton
              small
              icon="trash"
              label={t('DIAGNOSTICS.COMMENTS.REMOVE')}
              onClick={() => setRemoving(true)}
            />
          ) : null}
        </header>
        <p className="lines breaks" dir="auto">
          {comment.text}
        </p>
      </div>
      {removing ? (
        <ConfirmAction
          title={t('DIAGNOSTICS.COMMENTS.REMOVE_QUESTION')}
          confirmLabel={t('DIAGNOSTICS.COMMENTS.REMOVE')}
          tone="danger"
          action={async () => {
            const params = { errorId: error.id, commentId: comment.id };
            await api.call(removeErrorComment, { params });
            await queries.invalidateQueries({ queryKey: errorsKey });
          }}
          problem={(problem) => problemText(t, problem)}
          onCancel={() => setRemoving(false)}
        >
          <p>{t('DIAGNOSTICS.COMMENTS.REMOVE_EFFECT')}</p>
        </ConfirmAction>
      ) : null}
    </article>
  );
}

function CommentForm({ error }: { error: FullError }) {
  const { t } = useTranslation();
  const api = useApi();
  const form = useVersionedForm({
    saved: { values: { text: '' } },
    storedAs: `error-comment:${error.id}`,
    save: (body, _version, _extra, creation) =>
      api.call(addErrorComment, { params: { errorId: error.id }, body }, creation),
    lists: errorsKey,
    next: () => ({ values: { text: '' } }),
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
        aria-label={t('DIAGNOSTICS.COMMENTS.LABEL')}
        placeholder={t('DIAGNOSTICS.COMMENTS.LABEL')}
        rows={3}
        maxLength={errorLimits.comment}
        readOnly={form.busy}
        {...form.field('text')}
      />
      <Problem>{form.error === null ? null : problemText(t, form.error)}</Problem>
      <div className="row wrap">
        <Button small type="submit" busy={form.busy} disabled={form.values.text.trim() === ''}>
          {t('DIAGNOSTICS.COMMENTS.ADD')}
        </Button>
      </div>
    </form>
  );
}

/** Other errors of the same kind with the same message or the same place. */
export function SimilarErrors({ error }: { error: FullError }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (error.similar.length === 0) return null;
  return (
    <section className="facet stack gap-2 to-start">
      <h2>{t('DIAGNOSTICS.SIMILAR')}</h2>
      <ul>
        {error.similar.map(({ id, kind, message, projectName, lastSeenAt }) => (
          <li key={id} className="error-similar">
            <Link to="/diagnostics/$errorId" params={{ errorId: id }} className="cut" dir="auto">
              {`${kind}: ${message}`}
            </Link>
            <span className="muted small">
              {`${projectName} · `}
              <Time at={lastSeenAt} formats={formats} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

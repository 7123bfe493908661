import {
  switchFlag,
  type Flag,
  type FlagDetails,
  type FlagDraft,
  type FlagProposal,
} from '#features/flags/contract/flags.ts';
import { proposeFlag, publishFlag, reviewFlag, withdrawFlag } from '#features/flags/contract/review.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Api } from '#web/platform/calls/call.ts';
import { useApi, useCan, useFormats } from '#web/platform/contexts.tsx';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { namedActor } from '#web/platform/named-person.ts';
import { halfTyped, typedTime } from '#web/platform/time/wall-times.ts';
import { TimeField } from '#web/app/time-field.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { TextAreaField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { Tag } from '#web/ui/tag.tsx';
import { Time } from '#web/ui/time.tsx';
import { describeChange } from './describe-change.ts';
import { unmarked } from './describe-rule.ts';
import { flagProblems } from './flag-words.ts';
import { flagQuery, flagsKey } from './flags-query.ts';
import { useSegmentName } from './segment-input.tsx';

/** A change that a person tried to save and that needs a review. */
export type Unreviewed = {
  draft: FlagDraft;
  affected?: string[] | undefined;
  note: string;
  /** Saves the change without a review; the note gives the reason. */
  bypass: (reason: { bypassReview: true; note: string }) => Promise<unknown>;
};

/** The change that turns a flag on. */
export function unreviewedSwitch(api: Api, flag: Flag): Unreviewed {
  const { key, type, description, defaultValue, forSignedOut, killSwitch, rules, tags, version } = flag;
  return {
    draft: { type, description, defaultValue, forSignedOut, killSwitch, rules, tags },
    note: '',
    bypass: (reason) =>
      api.call(switchFlag, { params: { flagKey: key }, body: { enabled: true, version, ...reason } }),
  };
}

type ProposeDialogProps = {
  flag: Pick<Flag, 'key' | 'version'>;
  change: Unreviewed;
  onClose: () => void;
  /** Called when the change was proposed, or published without a review. */
  onDone?: () => void;
};

/** Asks for the reason of a change, and when to publish it; then another person reviews it (FLAG-22). */
export function ProposeDialog({ flag, change, onClose, onDone }: ProposeDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const mayBypass = useCan()('FLAGS_BYPASS');
  const { timeZone } = useFormats();
  const details = useQuery(flagQuery(flag.key));
  const replaced = details.data?.proposal ?? null;
  const { draft, affected } = change;
  const form = useVersionedForm({
    saved: { values: { note: change.note, publishAt: '' } },
    async save({ note, publishAt }, _version, way: 'propose' | 'bypass') {
      if (way === 'bypass') await change.bypass({ bypassReview: true, note });
      else
        await api.call(proposeFlag, {
          params: { flagKey: flag.key },
          body: {
            ...draft,
            note,
            publishAt: publishAt === '' ? null : typedTime(publishAt, timeZone),
            version: flag.version,
            replaces: replaced?.version ?? null,
            ...(affected === undefined ? {} : { affected }),
          },
        });
      return way;
    },
    async onSaved(way) {
      onClose();
      onDone?.();
      notify({
        kind: 'success',
        title: t(way === 'bypass' ? 'FLAGS.SAVED' : 'FLAGS.REVIEW.PROPOSED', { key: flag.key }),
      });
      await queries.invalidateQueries({ queryKey: flagsKey });
    },
    reload: flagsKey,
  });
  const { note, publishAt } = form.values;
  const problems = flagProblems(t, form.error);
  const isReady = note.trim() !== '' && publishAt !== halfTyped && details.data !== undefined;
  return (
    <FormDialog
      title={t('FLAGS.REVIEW.PROPOSE_TITLE', { key: flag.key })}
      form={form}
      problem={problems.general ?? problems.rules ?? problems.defaultValue}
      action={t('FLAGS.REVIEW.PROPOSE')}
      onSubmit={() => {
        if (isReady) form.save('propose');
      }}
      onClose={onClose}
      others={
        mayBypass ? (
          <Button
            tone="danger"
            disabled={form.busy || note.trim() === ''}
            onClick={() => form.save('bypass')}
          >
            {t('FLAGS.REVIEW.BYPASS')}
          </Button>
        ) : null
      }
    >
      <div className="fields">
        <p>{t('FLAGS.REVIEW.LEAD')}</p>
        {replaced === null ? null : (
          <Notice severity="medium">
            {t('FLAGS.REVIEW.REPLACES', { name: namedActor(t, replaced.proposedBy) })}
          </Notice>
        )}
        <TextAreaField
          label={t('FLAGS.REVIEW.NOTE')}
          hint={t('FLAGS.REVIEW.NOTE_HINT')}
          required
          rows={3}
          maxLength={500}
          error={problems.note}
          {...form.field('note')}
        />
        <TimeField
          label={t('FLAGS.REVIEW.PUBLISH_AT')}
          zone={timeZone}
          hint={t('FLAGS.REVIEW.PUBLISH_HINT')}
          error={problems.publishAt}
          {...form.field('publishAt')}
        />
      </div>
    </FormDialog>
  );
}

type ProposedChangeProps = {
  flag: FlagDetails;
  mayWrite: boolean;
  /** Puts the proposed flag into the form; null: something is typed there. */
  onEdit: ((proposed: FlagProposal['flag']) => void) | null;
};

/** A change that waits for a review or its time: the difference and the possible actions; empty if there is none. */
export function ProposedChange({ flag, mayWrite, onEdit }: ProposedChangeProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const api = useApi();
  const queries = useQueryClient();
  const segmentName = useSegmentName();
  const mayApprove = useCan()('FLAGS_APPROVE');
  const [doing, setDoing] = useState<'nothing' | 'decline' | 'withdraw'>('nothing');
  const params = { flagKey: flag.key };
  const reload = () => queries.invalidateQueries({ queryKey: flagsKey });
  const step = useMutation({
    mutationFn: ({ what, version }: { what: 'approve' | 'publish'; version: number }) =>
      what === 'approve'
        ? api.call(reviewFlag, { params, body: { approved: true, note: '', version } })
        : api.call(publishFlag, { params, body: { version } }),
    onSuccess: (_nothing, { what }) =>
      notify({
        kind: 'success',
        title: t(what === 'approve' ? 'FLAGS.REVIEW.APPROVED_DONE' : 'FLAGS.REVIEW.PUBLISHED', {
          key: flag.key,
        }),
      }),
    onError(error) {
      const { general, rules, defaultValue } = flagProblems(t, error);
      notify({ kind: 'error', title: general ?? rules ?? defaultValue ?? '' });
    },
    onSettled: reload,
  });
  const { proposal } = flag;
  if (proposal === null) return null;
  const { version, review, note, publishAt, proposedBy, proposedAt, own } = proposal;
  const isOutdated = proposal.base !== flag.version;
  const state = isOutdated
    ? 'OUTDATED'
    : review === null
      ? 'WAITING'
      : review.approved
        ? 'APPROVED'
        : 'DECLINED';
  const differences = describeChange(flag, proposal.flag, { t, locale: formats.locale, segmentName });
  const stop = () => setDoing('nothing');
  return (
    <section className="stack panel gap-3 pad-4 breaks" aria-labelledby="flag-proposal">
      <div className="row wrap gap-2">
        <h2 id="flag-proposal">{t('FLAGS.REVIEW.TITLE')}</h2>
        <Tag kind={state === 'APPROVED' ? 'ok' : state === 'WAITING' ? 'plain' : 'medium'}>
          {t(`FLAGS.REVIEW.STATES.${state}`)}
        </Tag>
        <span className="muted small">
          {namedActor(t, proposedBy)}
          {' · '}
          <Time at={proposedAt} formats={formats} />
        </span>
      </div>
      <p dir="auto">{note}</p>
      <ul className="stack gap-1">
        {differences.map(unmarked).map((sentence) => (
          <li key={sentence} dir="auto">
            {sentence}
          </li>
        ))}
      </ul>
      {review === null ? null : (
        <p className="muted small" dir="auto">
          {t(`FLAGS.REVIEW.BY.${review.approved ? 'APPROVED' : 'DECLINED'}`, {
            name: namedActor(t, review.by),
            when: formats.dateTime(review.at),
          })}
          {review.note === '' ? '' : ` ${review.note}`}
        </p>
      )}
      {publishAt === null ? null : (
        <p className="small">{t('FLAGS.REVIEW.AT', { when: formats.dateTime(publishAt) })}</p>
      )}
      {isOutdated ? <p className="small">{t('FLAGS.REVIEW.OUTDATED')}</p> : null}
      {own && mayApprove && state === 'WAITING' ? (
        <p className="muted small">{t('FLAGS.REVIEW.OWN')}</p>
      ) : null}
      <div className="row wrap gap-2">
        {mayApprove && !own && !isOutdated && state !== 'APPROVED' ? (
          <>
            <Button
              tone="primary"
              busy={step.isPending}
              onClick={() => step.mutate({ what: 'approve', version })}
            >
              {t('FLAGS.REVIEW.APPROVE')}
            </Button>
            <Button onClick={() => setDoing('decline')}>{t('FLAGS.REVIEW.DECLINE')}</Button>
          </>
        ) : null}
        {mayWrite ? (
          <>
            {state === 'APPROVED' || (!flag.reviewed && !isOutdated) ? (
              <Button
                tone="primary"
                busy={step.isPending}
                onClick={() => step.mutate({ what: 'publish', version })}
              >
                {t('FLAGS.REVIEW.PUBLISH')}
              </Button>
            ) : null}
            {onEdit === null ? null : (
              <Button onClick={() => onEdit(proposal.flag)}>{t('FLAGS.REVIEW.EDIT')}</Button>
            )}
            <Button tone="quiet" onClick={() => setDoing('withdraw')}>
              {t('FLAGS.REVIEW.WITHDRAW')}
            </Button>
          </>
        ) : null}
      </div>
      {doing === 'decline' ? <DeclineDialog flag={flag} version={version} onClose={stop} /> : null}
      {doing === 'withdraw' ? (
        <ConfirmAction
          title={t('FLAGS.REVIEW.WITHDRAW_QUESTION')}
          confirmLabel={t('FLAGS.REVIEW.WITHDRAW')}
          tone="danger"
          action={async () => {
            await api.call(withdrawFlag, { params, query: { version } });
            await reload();
          }}
          problem={(error) => flagProblems(t, error).general}
          done={t('FLAGS.REVIEW.WITHDRAWN')}
          onCancel={stop}
        >
          <p>{t('FLAGS.REVIEW.WITHDRAW_TEXT')}</p>
        </ConfirmAction>
      ) : null}
    </section>
  );
}

type DeclineDialogProps = { flag: Pick<Flag, 'key'>; version: number; onClose: () => void };

/** Asks what the author should change, and declines the proposal. */
function DeclineDialog({ flag, version, onClose }: DeclineDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const form = useVersionedForm({
    saved: { values: { note: '' } },
    save: ({ note }) =>
      api.call(reviewFlag, {
        params: { flagKey: flag.key },
        body: { approved: false, note: note.trim(), version },
      }),
    async onSaved() {
      onClose();
      notify({ kind: 'success', title: t('FLAGS.REVIEW.DECLINED_DONE') });
      await queries.invalidateQueries({ queryKey: flagsKey });
    },
    reload: flagsKey,
  });
  return (
    <FormDialog
      title={t('FLAGS.REVIEW.DECLINE')}
      form={form}
      problem={flagProblems(t, form.error).general}
      action={t('FLAGS.REVIEW.DECLINE')}
      onSubmit={() => {
        if (form.values.note.trim() !== '') form.save();
      }}
      onClose={onClose}
    >
      <TextAreaField
        label={t('FLAGS.REVIEW.DECLINE_NOTE')}
        required
        rows={4}
        maxLength={500}
        {...form.field('note')}
      />
    </FormDialog>
  );
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { detailOf, useRemoval } from '#web/platform/lists/list-state.ts';
import { DetailPage } from '#web/app/detail-page.tsx';
import { flagsKey, segmentQuery } from '../console/flags-query.ts';
import {
  deleteSegment,
  updateSegment,
  valuesIn,
  type Segment,
  type SegmentDetails,
} from '#features/flags/contract/segments.ts';
import { useMemo, useState } from 'react';
import { useApi, useCan, useFormats } from '#web/platform/contexts.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { FormSaveBar } from '#web/ui/save-bar.tsx';
import { ScreenActions } from '#web/ui/screen-head.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { TextAreaField, TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { notifyUndoable } from '#web/ui/notifications/undoable.ts';
import { SuggestField } from '#web/ui/suggest-input.tsx';
import { Checkbox } from '#web/ui/text-input.tsx';
import { ConditionBuilder } from '../console/condition-builder.tsx';
import { conditionOf, nodeOf } from '../console/condition-model.ts';
import { parseJson } from '../console/flag-form.ts';
import { useAttributeOptions } from '../console/known-values.ts';
import { segmentWords } from './new-segment-dialog.tsx';
import { SegmentValues } from './segment-values.tsx';
import '../console/flags-screen.css';
import '../console/flag-page.css';

/** One segment: who is in it, and what uses it. */
export function SegmentScreen() {
  const { t } = useTranslation();
  const { segmentId = '' }: { segmentId?: string } = useParams({ strict: false });
  const query = useQuery(segmentQuery(segmentId));
  const mayWrite = useCan()('FLAGS_WRITE');
  const { thing: segment, gone, frame } = detailOf(t, query, (data) => data, mayWrite);
  return (
    <DetailPage
      up="/segments"
      upTitle={t('SEGMENTS.TITLE')}
      heading={segment?.name ?? t('SEGMENTS.ONE')}
      texts="SEGMENTS.PAGE"
      {...frame}
    >
      {segment === undefined ? null : (
        <SegmentPage key={`${segment.id} ${segment.createdAt}`} segment={segment} gone={gone} />
      )}
    </DetailPage>
  );
}

/** `values`: one to a line; `condition`: as JSON. */
type SegmentForm = Pick<Segment, 'name' | 'description' | 'attribute' | 'numbers'> & {
  values: string;
  condition: string;
};

function formOf({ name, description, attribute, numbers, values, condition }: SegmentDetails): SegmentForm {
  return { name, description, attribute, numbers, values, condition: JSON.stringify(condition) };
}

/** Compares two forms field by field, since the values may be megabytes. */
function sameForm(one: SegmentForm, other: SegmentForm): boolean {
  return (Object.keys(one) as (keyof SegmentForm)[]).every((field) => one[field] === other[field]);
}

type SegmentPageProps = {
  segment: SegmentDetails;
  /** True: another operator has deleted the segment. */
  gone: boolean;
};

/** A segment and the form that changes the version on the screen. */
function SegmentPage({ segment, gone }: SegmentPageProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mayWrite = useCan()('FLAGS_WRITE');
  const attributes = useAttributeOptions();
  const [deleting, setDeleting] = useState(false);
  const { id, kind, version, usedBy } = segment;
  const form = useVersionedForm({
    saved: { values: formOf(segment), version },
    same: sameForm,
    save: ({ values, condition, ...fields }, edited) =>
      api.call(updateSegment, {
        params: { segmentId: id },
        body: {
          ...fields,
          version: edited,
          ...(kind === 'condition'
            ? { condition: parseJson(condition) }
            : values === segment.values && edited === version
              ? {}
              : { values }),
        },
      }),
    async onSaved({ name }, _sent, undo) {
      notifyUndoable(t, {
        key: `segment ${id}`,
        title: t('SEGMENTS.SAVED', { name }),
        undo,
        problem: (error) => problemsOf(t, error, segmentWords).general,
      });
      await queries.invalidateQueries({ queryKey: flagsKey });
    },
    reload: flagsKey,
    follows: 'untyped',
    gone,
  });
  const { attribute, values, condition } = form.values;
  const problems = problemsOf(t, form.error, segmentWords, form.edited);
  const removal = useRemoval(
    flagsKey,
    () => setDeleting(false),
    () => void navigate({ to: '/segments', ignoreBlocker: true }),
  );

  return (
    <>
      <header className="flag-head grid top gap-2-6">
        <div className="row wrap gap-2-3 shrinks">
          <h1 tabIndex={-1} className="heading" dir="auto">
            {segment.name}
          </h1>
          <code className="muted small breaks">{id}</code>
        </div>
        {mayWrite ? (
          <ScreenActions
            more={t('FLAGS.MORE_ACTIONS')}
            others={[
              {
                label: t('SEGMENTS.DELETE'),
                icon: 'trash',
                disabled: gone,
                onSelect: () => setDeleting(true),
              },
            ]}
          />
        ) : null}
      </header>
      <div className="flag-columns stack top gap-5">
        <div className="stack gap-4">
          <fieldset className="fields" disabled={!mayWrite}>
            <TextField
              label={t('SEGMENTS.NAME')}
              required
              error={problems.name}
              autoComplete="off"
              maxLength={100}
              {...form.field('name')}
            />
            <TextAreaField
              label={t('SEGMENTS.PURPOSE')}
              error={problems.description}
              rows={3}
              maxLength={2000}
              {...form.field('description')}
            />
            {kind === 'list' ? (
              <>
                <SuggestField
                  label={t('SEGMENTS.ATTRIBUTE')}
                  hint={t('SEGMENTS.ATTRIBUTE_HINT')}
                  required
                  error={problems.attribute}
                  autoCapitalize="none"
                  maxLength={200}
                  options={attributes}
                  {...form.field('attribute')}
                />
                <Checkbox
                  label={t('SEGMENTS.NUMBERS')}
                  hint={t('SEGMENTS.NUMBERS_HINT')}
                  {...form.check('numbers')}
                />
                <SegmentValues
                  values={values}
                  attribute={attribute}
                  error={problems.values}
                  mayWrite={mayWrite}
                  onValues={(next) => form.set({ values: next })}
                />
              </>
            ) : (
              <section className="stack gap-2">
                <h2>{t('SEGMENTS.KINDS.CONDITION')}</h2>
                <ConditionBuilder
                  label={t('SEGMENTS.KINDS.CONDITION')}
                  node={nodeOf(parseJson(condition))}
                  onNode={(node) =>
                    form.set({ condition: JSON.stringify(node === null ? {} : conditionOf(node)) })
                  }
                />
                {condition === '{}' ? <p className="muted">{t('SEGMENTS.EVERYONE')}</p> : null}
                {problems.condition === undefined ? null : (
                  <Notice severity="high" role="alert">
                    {problems.condition}
                  </Notice>
                )}
              </section>
            )}
          </fieldset>
          {mayWrite ? (
            <FormSaveBar form={form} problem={problems.general} onSave={form.save} action={t('FLAGS.SAVE')}>
              <b>{t('COMMON.UNSAVED')}</b>{' '}
              {kind === 'list' ? <Growth before={segment.values} after={values} /> : t('SEGMENTS.AT_ONCE')}
            </FormSaveBar>
          ) : null}
        </div>
        <div className="flag-aside stack gap-4">
          <Uses usedBy={usedBy} />
          <HistoryLink subject={id} />
        </div>
      </div>
      {deleting ? (
        <ConfirmAction
          title={t('SEGMENTS.DELETE_QUESTION', { key: segment.name })}
          confirmLabel={t('SEGMENTS.DELETE')}
          {...removal}
          hold={usedBy.length > 0 ? 'refused' : undefined}
          action={() => api.call(deleteSegment, { params: { segmentId: id }, query: { version } })}
          done={t('SEGMENTS.DELETED', { key: segment.name })}
        >
          {usedBy.length === 0 ? (
            <p>{t('SEGMENTS.DELETE_EFFECT')}</p>
          ) : (
            <>
              <p>{t('SEGMENTS.IN_USE')}</p>
              <UseLinks usedBy={usedBy} />
            </>
          )}
        </ConfirmAction>
      ) : null}
    </>
  );
}

/** The effect of saving on the list, and on the payload of plain keys, which contains the list. */
function Growth({ before, after }: { before: string; after: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { added, removed, count, bytes } = useMemo(() => {
    const [old, now] = [new Set(valuesIn(before)), new Set(valuesIn(after))];
    // Quotes and a comma.
    const size = (text: string) => new TextEncoder().encode(text).length + 2 * text.split('\n').length;
    return {
      added: [...now].filter((value) => !old.has(value)).length,
      removed: [...old].filter((value) => !now.has(value)).length,
      count: now.size,
      bytes: size([...now].join('\n')) - size([...old].join('\n')),
    };
  }, [before, after]);
  const size = new Intl.NumberFormat(formats.locale, {
    style: 'unit',
    unit: 'kilobyte',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 1,
  }).format(bytes / 1_000);
  return (
    <>
      {t('SEGMENTS.GROWTH', { added: formats.number(added), removed: formats.number(removed) })}{' '}
      {t('SEGMENTS.PUBLISHED', { count, values: formats.number(count), size })}
    </>
  );
}

type UsedBy = Pick<SegmentDetails, 'usedBy'>;

function Uses({ usedBy }: UsedBy) {
  const { t } = useTranslation();
  return (
    <section className="stack panel pad-4" aria-labelledby="segment-uses">
      <h2 id="segment-uses">{t('SEGMENTS.USED_BY')}</h2>
      {usedBy.length === 0 ? <p className="muted">{t('SEGMENTS.UNUSED')}</p> : <UseLinks usedBy={usedBy} />}
    </section>
  );
}

function UseLinks({ usedBy }: UsedBy) {
  const { t } = useTranslation();
  return (
    <ul className="flag-clients rows">
      {usedBy.map(({ kind, id, name, enabled }) => (
        <li key={`${kind} ${id}`}>
          <Link to={kind === 'flag' ? `/flags/${encodeURIComponent(id)}` : `/segments/${id}`}>
            {kind === 'flag' ? <code>{name}</code> : name}
          </Link>
          <small className="muted">
            {kind === 'segment' ? t('SEGMENTS.ONE') : enabled ? t('FLAGS.ON') : t('FLAGS.OFF')}
          </small>
        </li>
      ))}
    </ul>
  );
}

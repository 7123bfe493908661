import {
  exportFlags,
  importFlags,
  previewImport,
  type FlagImport,
} from '#features/flags/contract/flag-exchange.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useCan, useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { useDownload } from '#web/platform/files/use-download.ts';
import { problemsOf, type ProblemWords } from '#web/platform/forms/problems-of.ts';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, LeaveButton } from '#web/ui/dialog.tsx';
import { SelectField, TextAreaField } from '#web/ui/field.tsx';
import { Notice, Problem } from '#web/ui/notice.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { describeChange } from './describe-change.ts';
import { describeServedValues, unmarked } from './describe-rule.ts';
import { flagsKey } from './flags-query.ts';
import { useSegmentName } from './segment-input.tsx';
import { servedValuesOf } from './flag-words.ts';

/** The limit for rows in a preview; an import can have thousands. */
const mostShown = 100;

const words: ProblemWords<'document' | 'environment'> = {
  fields: {
    document: {
      json: 'FLAGS.EXCHANGE.ERRORS.JSON',
      too_big: 'FLAGS.EXCHANGE.ERRORS.TOO_BIG',
      else: 'FLAGS.EXCHANGE.ERRORS.FORMAT',
    },
    environment: 'FLAGS.EXCHANGE.ERRORS.FORMAT',
  },
  codes: {
    VERSION_CONFLICT: 'FLAGS.EXCHANGE.ERRORS.CONFLICT',
    TOO_LARGE: 'FLAGS.EXCHANGE.ERRORS.TOO_BIG',
    REVIEW_REQUIRED: 'FLAGS.EXCHANGE.ERRORS.REVIEW',
  },
};

/** Saves all flags as a file; imports such a file, or a file of another service, after showing a preview. */
export function ExchangeDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const mayWrite = useCan()('FLAGS_WRITE');
  const file = useRef<HTMLInputElement>(null);
  const [document, setDocument] = useState('');
  const { saving } = useDownload<'json'>('portico-flags', async (_ending, options) => {
    const all = await api.call(exportFlags, {}, options);
    return new Blob([JSON.stringify(all, null, 2)], { type: 'application/json' });
  });
  const preview = useMutation({
    mutationFn: (sent: { document: string; environment?: string }) => api.call(previewImport, { body: sent }),
  });
  const shown = preview.data;
  const taking = useMutation({
    mutationFn: ({ basis, environment }: FlagImport) =>
      api.call(importFlags, {
        body: { document, basis, ...(preview.variables?.environment === undefined ? {} : { environment }) },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: flagsKey }),
  });
  const problems = problemsOf(t, taking.error ?? preview.error ?? saving.error, words);
  const changes = [...(shown?.flags ?? []), ...(shown?.segments ?? [])].filter(
    ({ state }) => state !== 'same',
  );
  const startAgain = () => {
    preview.reset();
    taking.reset();
  };

  function look(text: string): void {
    setDocument(text);
    taking.reset();
    preview.mutate({ document: text });
  }

  const footer =
    taking.data !== undefined || !mayWrite ? (
      <LeaveButton tone="primary">{t('FLAGS.EXCHANGE.CLOSE')}</LeaveButton>
    ) : shown === undefined ? (
      <>
        <LeaveButton>{t('FLAGS.EXCHANGE.CLOSE')}</LeaveButton>
        <Button
          tone="primary"
          busy={preview.isPending}
          disabled={document.trim() === ''}
          onClick={() => look(document)}
        >
          {t('FLAGS.EXCHANGE.PREVIEW')}
        </Button>
      </>
    ) : (
      <>
        <Button onClick={startAgain}>{t('FLAGS.EXCHANGE.OTHER')}</Button>
        <Button
          tone="primary"
          busy={taking.isPending}
          disabled={changes.length === 0}
          onClick={() => taking.mutate(shown)}
        >
          {t('FLAGS.EXCHANGE.IMPORT')}
        </Button>
      </>
    );

  return (
    <Dialog
      kind="wide"
      title={t('FLAGS.EXCHANGE.TITLE')}
      typed={document !== '' && taking.data === undefined}
      busy={taking.isPending}
      onClose={onClose}
      footer={footer}
    >
      <div className="stack gap-3">
        <Problem>{problems.general ?? problems.document ?? problems.environment}</Problem>
        {taking.data !== undefined ? (
          <Notice severity="ok" role="status">
            {t('FLAGS.EXCHANGE.DONE', taking.data)}
          </Notice>
        ) : shown !== undefined ? (
          <ImportPreview
            shown={shown}
            onEnvironment={(environment) => preview.mutate({ document, environment })}
          />
        ) : (
          <>
            <p>{t('FLAGS.EXCHANGE.LEAD')}</p>
            <div className="row wrap gap-2">
              <Button icon="download" busy={saving.isPending} onClick={() => saving.mutate('json')}>
                {t('FLAGS.EXCHANGE.EXPORT')}
              </Button>
              {mayWrite ? (
                <Button busy={preview.isPending} onClick={() => file.current?.click()}>
                  {t('FLAGS.EXCHANGE.FILE')}
                </Button>
              ) : null}
            </div>
            {mayWrite ? (
              <>
                <input
                  ref={file}
                  type="file"
                  hidden
                  accept=".json,application/json"
                  aria-label={t('FLAGS.EXCHANGE.FILE')}
                  onChange={({ target }) => {
                    const [chosen] = target.files ?? [];
                    void chosen?.text().then((text) => {
                      // Once it is corrected, the same file can be chosen again.
                      target.value = '';
                      look(text);
                    });
                  }}
                />
                <TextAreaField
                  label={t('FLAGS.EXCHANGE.PASTE')}
                  hint={t('FLAGS.EXCHANGE.PASTE_HINT')}
                  rows={5}
                  spellCheck={false}
                  value={document}
                  onValue={setDocument}
                />
              </>
            ) : null}
          </>
        )}
      </div>
    </Dialog>
  );
}

type ImportPreviewProps = { shown: FlagImport; onEnvironment: (environment: string) => void };

/** The preview of an import: counts, each difference in words, and the parts that cannot be mapped. */
function ImportPreview({ shown, onEnvironment }: ImportPreviewProps) {
  const { t } = useTranslation();
  const { locale } = useFormats();
  const clock = useServerClock();
  const options = { t, locale, segmentName: useSegmentName() };
  const { flags, segments, unmapped, kept, environments, environment, format } = shown;
  const count = (state: string) => flags.filter((flag) => flag.state === state).length;
  const counts = { added: count('new'), changed: count('changed'), same: count('same') };
  const different = (['changed', 'new'] as const).flatMap((state) =>
    flags.filter((flag) => flag.state === state),
  );

  function sentencesOf({ before, after }: FlagImport['flags'][number]): string[] {
    if (after === undefined) return [];
    if (before !== undefined) return describeChange(before, after, options).map(unmarked);
    if (!after.enabled) return [t('FLAGS.OFF')];
    return [describeServedValues(servedValuesOf(after, clock.now()), { t, locale })];
  }

  return (
    <>
      <p role="status">
        <strong>{t(`FLAGS.EXCHANGE.FORMATS.${catalogueKey(format)}`)}</strong>{' '}
        {t('FLAGS.EXCHANGE.COUNTS', counts)} {t('FLAGS.EXCHANGE.KEPT', { count: kept.length })}
      </p>
      {environments.length < 2 ? null : (
        <SelectField
          label={t('FLAGS.EXCHANGE.ENVIRONMENT')}
          value={environment}
          onValue={onEnvironment}
          options={environments.map((value) => ({ value, label: value }))}
        />
      )}
      {unmapped.length === 0 ? null : (
        <section className="stack gap-2" aria-labelledby="unmapped">
          <h3 id="unmapped">{t('FLAGS.EXCHANGE.UNMAPPED')}</h3>
          <ul className="list panel">
            {unmapped.map(({ kind, name, reason, detail }) => (
              <li key={`${kind} ${name} ${reason} ${detail}`}>
                <code className="breaks">{name}</code>
                <p className="muted small breaks" dir="auto">
                  {t(`FLAGS.EXCHANGE.REASONS.${catalogueKey(reason)}`, { detail })}
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      <ul className="list panel" aria-label={t('FLAGS.EXCHANGE.CHANGES')}>
        {different.slice(0, mostShown).map((flag) => (
          <li key={flag.key}>
            <div className="row wrap gap-2">
              <code className="breaks">{flag.key}</code>
              <Tag kind="plain">{t(`FLAGS.EXCHANGE.STATES.${catalogueKey(flag.state)}`)}</Tag>
            </div>
            {sentencesOf(flag).map((sentence) => (
              <p className="muted small breaks" key={sentence} dir="auto">
                {sentence}
              </p>
            ))}
          </li>
        ))}
        {different.length <= mostShown ? null : (
          <li className="muted">{t('FLAGS.EXCHANGE.MORE', { count: different.length - mostShown })}</li>
        )}
        {segments
          .filter(({ state }) => state !== 'same')
          .map((segment) => (
            <li key={segment.id} className="row wrap gap-2">
              <span className="breaks" dir="auto">
                {t('FLAGS.EXCHANGE.SEGMENT', { name: segment.name })}
              </span>
              <Tag kind="plain">{t(`FLAGS.EXCHANGE.STATES.${catalogueKey(segment.state)}`)}</Tag>
            </li>
          ))}
      </ul>
    </>
  );
}

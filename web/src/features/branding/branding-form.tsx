import { accentPalette, readColour } from '@portico/contract/rules/accent';
import { markLimits, ownName, setBranding, type Branding } from '@portico/contract/branding';
import { useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../platform/contexts.tsx';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { problemText } from '../../platform/calls/problem-text.ts';
import { problemsOf } from '../../platform/forms/problems-of.ts';
import { useVersionedForm } from '../../platform/forms/versioned-form.ts';
import { namedActor } from '../../platform/named-person.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Notice } from '../../ui/notice.tsx';
import { notify } from '../../ui/notifications/notifications.ts';
import { TextInput } from '../../ui/text-input.tsx';
import { bodyOf, chosenMark, draftOf, sameDraft, type BrandingDraft } from './branding-draft.ts';
import { BrandingPreview } from './branding-preview.tsx';
import { brandingKey } from './branding-query.ts';
import { brandingWords } from './branding-words.ts';
import { showNow } from './show-now.ts';

const own: BrandingDraft = { name: '', accent: '', mark: null };
/** Portico's own accent, shown in the colour input while none is chosen. */
const ownAccent = '#0b5e63';

/** Name, mark and accent colour, with a preview. */
export function BrandingForm({ stored }: { stored: Branding }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const api = useApi();
  const queries = useQueryClient();
  const [tooBig, setTooBig] = useState(false);
  const [resetting, setResetting] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const form = useVersionedForm({
    saved: savedOf(stored),
    same: sameDraft,
    save: (_values, version, wanted: BrandingDraft) =>
      api.call(setBranding, { body: bodyOf(wanted, version) }),
    onSaved(saved) {
      queries.setQueryData(brandingKey, saved);
      setResetting(false);
      showNow(saved);
      notify({ kind: 'success', title: t('BRANDING.SAVED') });
    },
    next: savedOf,
    reload: brandingKey,
  });
  const { values: draft, typed: changed } = form;

  const chosenUrl = draft.mark !== null && draft.mark !== 'kept' ? draft.mark.url : null;
  useEffect(() => (chosenUrl === null ? undefined : () => URL.revokeObjectURL(chosenUrl)), [chosenUrl]);

  // A problem with a field that was changed since does not apply any more.
  const problems = problemsOf(t, resetting ? null : form.error, brandingWords, form.edited);
  const colour = readColour(draft.accent.trim());
  const markUrl = draft.mark === 'kept' ? (stored.mark?.url ?? null) : chosenUrl;
  const name = draft.name.trim() === '' ? ownName : draft.name.trim();
  const isOwn = stored.name === null && stored.accent === null && stored.mark === null;

  function choose(event: ChangeEvent<HTMLInputElement>): void {
    const [chosen] = event.currentTarget.files ?? [];
    event.currentTarget.value = '';
    if (chosen === undefined) return;
    const fits = chosen.size <= markLimits.bytes;
    setTooBig(!fits);
    if (!fits) return;
    void chosenMark(chosen).then((mark) => form.set({ mark }));
  }

  return (
    <div className="branding">
      <form
        className="branding-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          form.save(draft);
        }}
      >
        {problems.general === undefined ? null : (
          <Notice severity="high" role="alert">
            {problems.general}
          </Notice>
        )}
        <Field label={t('BRANDING.NAME')} hint={t('BRANDING.NAME_HINT')} error={problems.name}>
          {(control) => (
            <TextInput
              {...control}
              required={false}
              autoComplete="off"
              maxLength={40}
              placeholder={ownName}
              value={draft.name}
              onValue={(value) => form.set({ name: value })}
            />
          )}
        </Field>

        <Field
          label={t('BRANDING.MARK')}
          hint={t('BRANDING.MARK_HINT', { size: formats.number(markLimits.bytes / 1024) })}
          error={tooBig ? t('BRANDING.ERRORS.MARK.TOO_BIG') : problems.mark}
        >
          {(control) => (
            <div className="branding-row">
              <span className="branding-well">
                <Mark size={40} src={markUrl} />
              </span>
              <input
                {...control}
                required={false}
                ref={file}
                type="file"
                accept="image/svg+xml,image/png"
                className="visually-hidden"
                onChange={choose}
              />
              <Button icon="image" onClick={() => file.current?.click()} tabIndex={-1} aria-hidden="true">
                {t('BRANDING.CHOOSE_MARK')}
              </Button>
              {draft.mark === null ? null : (
                <Button tone="quiet" icon="trash" onClick={() => form.set({ mark: null })}>
                  {t('BRANDING.REMOVE_MARK')}
                </Button>
              )}
            </div>
          )}
        </Field>

        <Field label={t('BRANDING.ACCENT')} hint={t('BRANDING.ACCENT_HINT')} error={problems.accent}>
          {(control) => (
            <div className="branding-row">
              <input
                type="color"
                className="branding-colour"
                aria-label={t('BRANDING.PICK')}
                value={colour ?? ownAccent}
                onChange={(event) => form.set({ accent: event.currentTarget.value })}
              />
              <TextInput
                {...control}
                required={false}
                autoComplete="off"
                spellCheck={false}
                maxLength={20}
                placeholder={ownAccent}
                value={draft.accent}
                onValue={(accent) => form.set({ accent })}
              />
            </div>
          )}
        </Field>
        {colour === null ? null : <Contrast colour={colour} />}

        <div className="branding-row">
          {form.conflict ? (
            <Button key="keep" onClick={form.takeTheirs}>
              {t('BRANDING.TAKE_THEIRS')}
            </Button>
          ) : (
            <Button key="save" tone="primary" type="submit" disabled={!changed} busy={form.busy}>
              {t('BRANDING.SAVE')}
            </Button>
          )}
          {changed ? (
            <Button tone="quiet" onClick={form.takeTheirs}>
              {t('BRANDING.DISCARD')}
            </Button>
          ) : isOwn ? null : (
            <Button
              tone="quiet"
              onClick={() => {
                form.reset();
                setResetting(true);
              }}
            >
              {t('BRANDING.RESET')}
            </Button>
          )}
        </div>
        {stored.changedAt === null ? null : (
          <p className="muted">
            {t('BRANDING.CHANGED', {
              when: formats.dateTime(stored.changedAt),
              who: namedActor(t, stored.changedBy ?? '', stored.names),
            })}
          </p>
        )}
      </form>
      <section className="section" aria-label={t('BRANDING.PREVIEW')}>
        <h2>{t('BRANDING.PREVIEW')}</h2>
        <BrandingPreview name={name} accent={colour} mark={markUrl} />
      </section>
      <ConfirmDialog
        open={resetting}
        title={t('BRANDING.RESET_QUESTION')}
        confirmLabel={t('BRANDING.RESET')}
        cancelLabel={t('COMMON.CANCEL')}
        closeLabel={t('COMMON.CLOSE')}
        busy={form.busy}
        error={form.error === null ? null : problemText(t, form.error)}
        onConfirm={() => form.save(own)}
        onCancel={() => setResetting(false)}
      >
        <p>{t('BRANDING.RESET_EFFECT')}</p>
      </ConfirmDialog>
    </div>
  );
}

function savedOf(branding: Branding) {
  return { values: draftOf(branding), version: branding.version };
}

/** In which scheme the chosen colour would not be readable, and which shade is used instead. */
function Contrast({ colour }: { colour: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { light, dark, chosen } = accentPalette(colour);
  const moved = [
    { scheme: 'LIGHT', shade: light.accent, ...chosen.light },
    { scheme: 'DARK', shade: dark.accent, ...chosen.dark },
  ].filter(({ readable }) => !readable);
  return (
    <div role="status" className="branding-contrast">
      {moved.length === 0 ? (
        <p>{t('BRANDING.CONTRAST.FINE')}</p>
      ) : (
        moved.map(({ scheme, shade, contrast }) => (
          <p key={scheme}>
            <span className="branding-swatch" style={{ background: shade }} aria-hidden="true" />
            {t(`BRANDING.CONTRAST.${scheme}`, { contrast: formats.number(contrast), shade })}
          </p>
        ))
      )}
    </div>
  );
}

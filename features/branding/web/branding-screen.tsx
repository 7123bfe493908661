import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { detailState } from '#web/platform/lists/list-state.ts';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { DetailFrame } from '#web/ui/detail-frame.tsx';
import { readColour, accentCss, accentPalette } from '#features/branding/contract/accent.ts';
import { webAddressLimit } from '#contract/text.ts';
import {
  type Branding,
  contactLink,
  getBranding,
  monogramOf,
  ownName,
  setBranding,
} from '#features/branding/contract/branding.ts';
import { useState } from 'react';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { type ProblemWords, type Problems, problemsOf } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { namedActor } from '#web/platform/named-person.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/notice.tsx';
import { SaveBar } from '#web/ui/save-bar.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import {
  AccentField,
  bodyOf,
  type BrandingDraft,
  draftOf,
  EntryPictureField,
  MarkField,
  sameDraft,
} from './branding-fields.tsx';
import { BrandingPreview } from './branding-preview.tsx';
import { showBranding } from '#web/platform/branding.ts';
import { base } from '#web/platform/base.ts';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { ConfirmDialog } from '#web/ui/confirm-action.tsx';
import './branding.css';

/** The name, colour and mark of the installation. */
export function BrandingScreen() {
  const { t } = useTranslation();
  const branding = useQuery(brandingQuery);
  return (
    <>
      <ScreenHead title={t('BRANDING.TITLE')} lead={t('BRANDING.LEAD')}>
        <HistoryLink subject="branding" />
      </ScreenHead>
      <DetailFrame {...detailState(t, branding)}>
        {branding.data === undefined ? null : <BrandingForm stored={branding.data} />}
      </DetailFrame>
    </>
  );
}

const brandingKey = ['branding'] as const;

const brandingQuery = routeQuery(brandingKey, getBranding, {});

/** Portico's own name and look. */
const defaults: BrandingDraft = {
  name: '',
  accent: '',
  mark: null,
  picture: null,
  contact: '',
  statusUrl: '',
};

function useBrandingForm(stored: Branding, onSaved: () => void) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  return useVersionedForm({
    saved: savedOf(stored),
    same: sameDraft,
    save: (_values, version, wanted: BrandingDraft) =>
      api.call(setBranding, { body: bodyOf(wanted, version) }),
    onSaved(saved) {
      queries.setQueryData(brandingKey, saved);
      onSaved();
      showNow(saved);
      notify({ kind: 'success', title: t('BRANDING.SAVED') });
    },
    next: savedOf,
    reload: brandingKey,
  });
}

/** Name, logo and accent colour, with a preview. */
function BrandingForm({ stored }: { stored: Branding }) {
  const { t } = useTranslation();
  const [resetting, setResetting] = useState(false);
  const form = useBrandingForm(stored, () => setResetting(false));
  const draft = form.values;
  const problems = problemsOf(t, resetting ? null : form.error, brandingWords, form.edited);
  const colour = readColour(draft.accent.trim());
  const markUrl = draft.mark === 'stored' ? (stored.mark?.url ?? null) : (draft.mark?.url ?? null);
  const pictureUrl =
    draft.picture === 'stored' ? (stored.picture?.url ?? null) : (draft.picture?.url ?? null);
  const name = draft.name.trim() === '' ? ownName : draft.name.trim();
  // Without a logo the server shows a monogram of the name.
  const shownMark =
    markUrl ??
    (draft.name.trim() === '' ? null : `data:image/svg+xml,${encodeURIComponent(monogramOf(name, colour))}`);

  return (
    <div className="branding top above-5">
      <form
        className="stack gap-5"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (form.typed) form.save(draft);
        }}
      >
        <BrandingFields
          draft={draft}
          problems={problems}
          shown={{ mark: shownMark, picture: pictureUrl, colour }}
          onChange={form.set}
        />
        <SaveBar
          typed={form.typed}
          busy={form.busy}
          action={t('BRANDING.SAVE')}
          onDiscard={form.takeTheirs}
          above={<Problem>{problems.general}</Problem>}
          more={
            form.typed || sameDraft(draftOf(stored), defaults) ? null : (
              <Button
                tone="quiet"
                onClick={() => {
                  form.reset();
                  setResetting(true);
                }}
              >
                {t('BRANDING.RESET')}
              </Button>
            )
          }
          answers={
            form.conflict ? (
              <Button key="keep" onClick={form.takeTheirs}>
                {t('EDITING.TAKE_THEIRS')}
              </Button>
            ) : undefined
          }
        />
        <LastChange stored={stored} />
      </form>
      <section className="section" aria-label={t('BRANDING.PREVIEW')}>
        <h2>{t('BRANDING.PREVIEW')}</h2>
        <BrandingPreview
          name={name}
          accent={colour}
          mark={shownMark}
          picture={pictureUrl}
          contact={draft.contact.trim()}
          hasStatus={draft.statusUrl.trim() !== ''}
        />
      </section>
      <ConfirmDialog
        open={resetting}
        title={t('BRANDING.RESET_QUESTION')}
        confirmLabel={t('BRANDING.RESET')}
        cancelLabel={t('COMMON.CANCEL')}
        busy={form.busy}
        error={form.error === null ? null : problemText(t, form.error)}
        onConfirm={() => form.save(defaults)}
        onCancel={() => setResetting(false)}
      >
        <p>{t('BRANDING.RESET_EFFECT')}</p>
      </ConfirmDialog>
    </div>
  );
}

type BrandingFieldsProps = {
  draft: BrandingDraft;
  problems: Problems<keyof BrandingDraft>;
  /** The logo, the picture and the colour that the preview shows. */
  shown: { mark: string | null; picture: string | null; colour: ReturnType<typeof readColour> };
  onChange: (change: Partial<BrandingDraft>) => void;
};

function BrandingFields({ draft, problems, shown, onChange }: BrandingFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextField
        label={t('BRANDING.NAME')}
        hint={t('BRANDING.NAME_HINT')}
        error={problems.name}
        autoComplete="off"
        maxLength={40}
        placeholder={ownName}
        value={draft.name}
        onValue={(value) => onChange({ name: value })}
      />

      <MarkField
        mark={draft.mark}
        url={shown.mark}
        error={problems.mark}
        onMark={(mark) => onChange({ mark })}
      />
      <AccentField
        accent={draft.accent}
        colour={shown.colour}
        error={problems.accent}
        onAccent={(accent) => onChange({ accent })}
      />
      <EntryPictureField
        picture={draft.picture}
        url={shown.picture}
        error={problems.picture}
        onPicture={(picture) => onChange({ picture })}
      />
      <TextField
        label={t('BRANDING.CONTACT')}
        hint={t('BRANDING.CONTACT_HINT')}
        error={problems.contact}
        autoComplete="off"
        maxLength={200}
        value={draft.contact}
        onValue={(contact) => onChange({ contact })}
      />
      <TextField
        label={t('BRANDING.STATUS')}
        hint={t('BRANDING.STATUS_HINT')}
        error={problems.statusUrl}
        type="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={webAddressLimit}
        placeholder="https://"
        value={draft.statusUrl}
        onValue={(statusUrl) => onChange({ statusUrl })}
      />
    </>
  );
}

function LastChange({ stored }: { stored: Branding }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (stored.changedAt === null) return null;
  return (
    <p className="muted">
      {t('BRANDING.CHANGED', {
        when: formats.dateTime(stored.changedAt),
        who: namedActor(t, stored.changedBy ?? '', stored.names),
      })}
    </p>
  );
}

function savedOf(branding: Branding) {
  return { values: draftOf(branding), version: branding.version };
}

const brandingWords: ProblemWords<'name' | 'accent' | 'mark' | 'picture' | 'contact' | 'statusUrl'> = {
  fields: {
    name: 'BRANDING.ERRORS.NAME',
    accent: 'BRANDING.ERRORS.ACCENT',
    mark: {
      type: 'BRANDING.ERRORS.MARK.TYPE',
      TOO_LARGE: 'BRANDING.ERRORS.MARK.TOO_BIG',
      too_big: 'BRANDING.ERRORS.MARK.TOO_BIG',
      else: 'BRANDING.ERRORS.MARK.BROKEN',
    },
    picture: {
      type: 'BRANDING.ERRORS.PICTURE.TYPE',
      TOO_LARGE: 'BRANDING.ERRORS.PICTURE.TOO_BIG',
      too_big: 'BRANDING.ERRORS.PICTURE.TOO_BIG',
      else: 'BRANDING.ERRORS.MARK.BROKEN',
    },
    contact: 'BRANDING.ERRORS.CONTACT',
    statusUrl: 'BRANDING.ERRORS.STATUS',
  },
  // Only the pictures are large, and this one is the largest.
  fieldOf: (name, code) => (code === 'TOO_LARGE' ? 'picture' : name),
};

/**
 * Applies name, mark, icon and colours to this page without a reload, as the server does for the next one.
 */
function showNow({ name, accent, shownMark: mark, picture, contact, statusUrl }: Branding): void {
  showBranding({
    product: name ?? ownName,
    mark: mark?.url ?? null,
    panel: picture !== null ? { picture: picture.url } : mark === null ? 'drawing' : 'accent',
    contact: contact === null ? null : { text: contact, href: contactLink(contact) },
    statusUrl,
  });
  document.getElementById('branding')?.remove();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(accent === null ? '' : accentCss(accentPalette(accent)));
  document.adoptedStyleSheets = [sheet];
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon === null) return;
  icon.type = mark?.contentType ?? 'image/svg+xml';
  icon.href = mark?.url ?? `${base}/favicon.svg`;
}

import { accentPalette, readColour } from '#features/branding/contract/accent.ts';
import { type Branding, markLimits, ownAccent, pictureLimits } from '#features/branding/contract/branding.ts';
import { useTranslation } from 'react-i18next';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { type ChosenPicture, useChosenPicture } from '#web/platform/files/chosen-picture.ts';
import { Mark } from '#web/ui/mark.tsx';
import { PictureField } from '#web/ui/picture-field.tsx';
import { smallerPicture } from './smaller-picture.ts';
import { useFormats } from '#web/platform/contexts.tsx';

/** The branding as edited in the form. */
export type BrandingDraft = {
  name: string;
  /** As typed; empty: Portico's own. */
  accent: string;
  /** `stored`: the one that is saved; null: Portico's own. */
  mark: 'stored' | ChosenPicture | null;
  /** Next to the sign-in; `stored`: the one that is saved; null: none. */
  picture: 'stored' | ChosenPicture | null;
  contact: string;
  statusUrl: string;
};

export function draftOf({ name, accent, mark, picture, contact, statusUrl }: Branding): BrandingDraft {
  return {
    name: name ?? '',
    accent: accent ?? '',
    mark: mark === null ? null : 'stored',
    picture: picture === null ? null : 'stored',
    contact: contact ?? '',
    statusUrl: statusUrl ?? '',
  };
}

export function sameDraft(one: BrandingDraft, other: BrandingDraft): boolean {
  return (
    one.name === other.name &&
    one.accent === other.accent &&
    one.mark === other.mark &&
    one.picture === other.picture &&
    one.contact === other.contact &&
    one.statusUrl === other.statusUrl
  );
}

/** What is sent; an invalid colour is sent as it is, so that the server refuses it. */
export function bodyOf(draft: BrandingDraft, version: number) {
  const { name, accent, mark, picture } = draft;
  const trimmed = accent.trim();
  return {
    name: orNull(name),
    accent: trimmed === '' ? null : (readColour(trimmed) ?? trimmed),
    ...(mark === 'stored' ? {} : { mark: mark === null ? null : { data: mark.data } }),
    ...(picture === 'stored' ? {} : { picture: picture === null ? null : { data: picture.data } }),
    contact: orNull(draft.contact),
    statusUrl: orNull(draft.statusUrl),
    version,
  };
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}

type AccentFieldProps = {
  /** As it is typed. */
  accent: string;
  /** The colour that `accent` stands for; null if it is no colour. */
  colour: string | null;
  error: string | undefined;
  onAccent: (accent: string) => void;
};

/** Chooses the accent colour, and shows how readable it is. */
export function AccentField({ accent, colour, error, onAccent }: AccentFieldProps) {
  const { t } = useTranslation();
  return (
    <>
      <Field label={t('BRANDING.ACCENT')} hint={t('BRANDING.ACCENT_HINT')} error={error}>
        {(control) => (
          <div className="branding-row row gap-3 wrap">
            <input
              type="color"
              className="branding-colour rounded surface"
              aria-label={t('BRANDING.PICK')}
              value={colour ?? ownAccent}
              onChange={(event) => onAccent(event.currentTarget.value)}
            />
            <TextInput
              {...control}
              required={false}
              autoComplete="off"
              spellCheck={false}
              maxLength={20}
              placeholder={ownAccent}
              value={accent}
              onValue={onAccent}
            />
          </div>
        )}
      </Field>
      {colour === null ? null : <Contrast colour={colour} />}
    </>
  );
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
    <div role="status" className="stack gap-1 muted small">
      {moved.length === 0 ? (
        <p>{t('BRANDING.CONTRAST.FINE')}</p>
      ) : (
        moved.map(({ scheme, shade, contrast }) => (
          <p key={scheme} className="row top gap-2">
            <span className="branding-swatch rigid" style={{ background: shade }} aria-hidden="true" />
            {t(`BRANDING.CONTRAST.${scheme}`, { contrast: formats.number(contrast), shade })}
          </p>
        ))
      )}
    </div>
  );
}

type EntryPictureFieldProps = {
  picture: BrandingDraft['picture'];
  /** The address of the current picture; null: there is none. */
  url: string | null;
  error: string | undefined;
  onPicture: (picture: BrandingDraft['picture']) => void;
};

/** Chooses the picture next to the sign-in from a file. A photograph is made smaller before it is sent. */
export function EntryPictureField({ picture, url, error, onPicture }: EntryPictureFieldProps) {
  const { t } = useTranslation();
  const chosen = useChosenPicture(picture, onPicture, smallerPicture);
  const formats = useFormats();
  return (
    <PictureField
      label={t('BRANDING.PICTURE')}
      hint={t('BRANDING.PICTURE_HINT', { size: formats.number(pictureLimits.bytes / 1_048_576) })}
      chooseLabel={t('BRANDING.CHOOSE_MARK')}
      removeLabel={t('BRANDING.REMOVE_MARK')}
      tooBigLabel={t('BRANDING.ERRORS.PICTURE.TOO_BIG')}
      unreadableLabel={t('BRANDING.ERRORS.UNREADABLE')}
      accept="image/svg+xml,image/png,image/jpeg,image/webp,image/avif"
      // Larger pictures are scaled down.
      most={Number.POSITIVE_INFINITY}
      error={error}
      {...chosen}
    >
      {url === null ? null : <img className="branding-picture" src={url} alt="" />}
    </PictureField>
  );
}

type MarkFieldProps = {
  mark: BrandingDraft['mark'];
  /** The address of the current logo; null: Portico's own. */
  url: string | null;
  error: string | undefined;
  onMark: (mark: BrandingDraft['mark']) => void;
};

/** Chooses the logo from a file. */
export function MarkField({ mark, url, error, onMark }: MarkFieldProps) {
  const { t } = useTranslation();
  const chosen = useChosenPicture(mark, onMark);
  const formats = useFormats();
  return (
    <PictureField
      label={t('BRANDING.MARK')}
      hint={t('BRANDING.MARK_HINT', { size: formats.number(markLimits.bytes / 1024) })}
      chooseLabel={t('BRANDING.CHOOSE_MARK')}
      removeLabel={t('BRANDING.REMOVE_MARK')}
      tooBigLabel={t('BRANDING.ERRORS.MARK.TOO_BIG')}
      unreadableLabel={t('BRANDING.ERRORS.UNREADABLE')}
      accept="image/svg+xml,image/png"
      most={markLimits.bytes}
      error={error}
      {...chosen}
    >
      <Mark size={40} src={url} />
    </PictureField>
  );
}

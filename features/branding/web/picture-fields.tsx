import { markLimits, pictureLimits } from '#features/branding/contract/branding.ts';
import { useTranslation } from 'react-i18next';
import { useChosenPicture } from '#web/platform/files/use-chosen-picture.ts';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Mark } from '#web/ui/mark.tsx';
import { PictureField } from '#web/ui/picture-field.tsx';
import type { BrandingDraft } from './branding-draft.ts';
import { smallerPicture } from './smaller-picture.ts';

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

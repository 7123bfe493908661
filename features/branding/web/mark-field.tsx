import { markLimits } from '#features/branding/contract/branding.ts';
import { useTranslation } from 'react-i18next';
import { useChosenPicture } from '#web/platform/files/use-chosen-picture.ts';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Mark } from '#web/ui/mark.tsx';
import { PictureField } from '#web/ui/picture-field.tsx';
import type { BrandingDraft } from './branding-draft.ts';

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

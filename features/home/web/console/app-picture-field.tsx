import { markLimits } from '#features/branding/contract/branding.ts';
import type { ManagedApp } from '#features/home/contract/apps.ts';
import { useTranslation } from 'react-i18next';
import { useChosenPicture } from '#web/platform/files/use-chosen-picture.ts';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { PictureField } from '#web/ui/picture-field.tsx';
import { AppPicture } from '../app-picture.tsx';
import type { AppValues } from './app-form.ts';

type AppPictureFieldProps = {
  app: ManagedApp | null;
  name: string;
  picture: AppValues['picture'];
  error: string | undefined;
  onPicture: (picture: AppValues['picture']) => void;
};

/** The picture of an application; without one its first letter is shown. */
export function AppPictureField({ app, name, picture, error, onPicture }: AppPictureFieldProps) {
  const { t } = useTranslation();
  const chosen = useChosenPicture(picture, onPicture);
  const { number } = useFormats();
  const shown = picture === 'stored' ? (app?.picture ?? null) : (picture?.url ?? null);
  return (
    <PictureField
      label={t('APPS.PICTURE')}
      hint={t('APPS.PICTURE_HINT', { size: number(markLimits.bytes / 1024) })}
      chooseLabel={t('APPS.CHOOSE_PICTURE')}
      removeLabel={t('APPS.REMOVE')}
      tooBigLabel={t('APPS.ERRORS.PICTURE_TOO_BIG')}
      unreadableLabel={t('APPS.ERRORS.PICTURE_UNREADABLE')}
      accept="image/svg+xml,image/png"
      most={markLimits.bytes}
      error={error}
      {...chosen}
    >
      <AppPicture name={name} of={app?.key ?? ''} picture={shown} />
    </PictureField>
  );
}

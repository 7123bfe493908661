import { RightInput } from '#features/permissions/web/right-input.tsx';
import { markLimits } from '#features/branding/contract/branding.ts';
import { type ManagedApp, appLimits } from '#features/home/contract/apps.ts';
import { useTranslation } from 'react-i18next';
import { useState } from 'react';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { useChosenPicture } from '#web/platform/files/chosen-picture.ts';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { languages } from '#web/platform/i18n/language.ts';
import { Field, TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { PictureField } from '#web/ui/picture-field.tsx';
import { Checkbox } from '#web/ui/text-input.tsx';
import { AppPicture } from '../app-picture.tsx';
import { appsKey, appValues, type AppValues, appWords, saveApp } from './app-form.ts';

type AppDialogProps = {
  /** Null: a new one. */
  app: ManagedApp | null;
  gone: boolean;
  onClose: () => void;
};

/** One application of the home screen. If it is behind the gateway, its address comes from the configuration. */
export function AppDialog({ app, gone, onClose }: AppDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const form = useVersionedForm({
    saved: { values: appValues(app), ...(app?.version == null ? {} : { version: app.version }) },
    save: (values, version, _extra, creation) => saveApp(api, app, values, version, creation),
    lists: appsKey,
    onSaved() {
      notify({ kind: 'success', title: t('APPS.SAVED') });
      onClose();
    },
    gone,
  });
  const { values, set } = form;
  const problems = problemsOf(t, form.error, appWords, form.edited);
  return (
    <FormDialog
      title={app === null ? t('APPS.NEW') : t('APPS.EDIT_ONE', { name: app.name })}
      form={form}
      problem={problems.general}
      onClose={onClose}
    >
      <TextField
        label={t('APPS.NAME')}
        error={problems.name}
        required
        autoComplete="off"
        maxLength={appLimits.name}
        {...form.field('name')}
      />
      {app === null || app.upstream === null ? (
        <TextField
          label={t('APPS.ADDRESS')}
          hint={t('APPS.ADDRESS_HINT')}
          error={problems.address}
          required
          type="url"
          autoComplete="off"
          spellCheck={false}
          maxLength={appLimits.address}
          placeholder="https://"
          {...form.field('address')}
        />
      ) : (
        <p className="muted">{t('APPS.FROM_GATEWAY', { address: app.address })}</p>
      )}
      <TextField
        label={t('APPS.DESCRIPTION')}
        hint={t('APPS.DESCRIPTION_HINT')}
        error={problems.description}
        autoComplete="off"
        maxLength={appLimits.description}
        {...form.field('description')}
      />
      <AppPictureField
        app={app}
        name={values.name}
        picture={values.picture}
        error={problems.picture}
        onPicture={(picture) => set({ picture })}
      />
      <RightField value={values.right} error={problems.right} onValue={(right) => set({ right })} />
      {app?.upstream == null ? null : <Checkbox label={t('APPS.SHOWN')} {...form.check('shown')} />}
      <OtherLanguages values={values} error={problems.names ?? problems.descriptions} onValues={set} />
    </FormDialog>
  );
}

type AppPictureFieldProps = {
  app: ManagedApp | null;
  name: string;
  picture: AppValues['picture'];
  error: string | undefined;
  onPicture: (picture: AppValues['picture']) => void;
};

/** The picture of an application; without one its first letter is shown. */
function AppPictureField({ app, name, picture, error, onPicture }: AppPictureFieldProps) {
  const { t } = useTranslation();
  const chosen = useChosenPicture(picture, onPicture);
  const { number } = useFormats();
  const shown = picture === 'stored' ? (app?.picture ?? null) : (picture?.url ?? null);
  return (
    <PictureField
      label={t('APPS.PICTURE')}
      hint={t('APPS.PICTURE_HINT', { size: number(markLimits.bytes / 1024) })}
      chooseLabel={t('APPS.CHOOSE_PICTURE')}
      removeLabel={t('EDITING.REMOVE')}
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

type OtherLanguagesProps = {
  values: Pick<AppValues, 'name' | 'names' | 'description' | 'descriptions'>;
  error: string | undefined;
  onValues: (values: Partial<AppValues>) => void;
};

/** Name and description in each language, where they differ from the plain ones. */
function OtherLanguages({ values, error, onValues }: OtherLanguagesProps) {
  const { t } = useTranslation();
  const { names, descriptions } = values;
  const [open] = useState(
    [...Object.values(names), ...Object.values(descriptions)].some((text) => text !== ''),
  );
  return (
    <details className="app-languages stack" open={open}>
      <summary className="accent">{t('APPS.LANGUAGES')}</summary>
      <p className="muted">{t('APPS.LANGUAGES_HINT')}</p>
      {error === undefined ? null : <p role="alert">{error}</p>}
      {languages.map(({ language, label }) => (
        <fieldset key={language} lang={language}>
          <legend className="strong">{label}</legend>
          <TextField
            label={t('APPS.NAME')}
            autoComplete="off"
            maxLength={appLimits.name}
            placeholder={values.name}
            value={names[language]}
            onValue={(name) => onValues({ names: { ...names, [language]: name } })}
          />
          <TextField
            label={t('APPS.DESCRIPTION')}
            autoComplete="off"
            maxLength={appLimits.description}
            placeholder={values.description}
            value={descriptions[language]}
            onValue={(text) => onValues({ descriptions: { ...descriptions, [language]: text } })}
          />
        </fieldset>
      ))}
    </details>
  );
}

type RightFieldProps = { value: string; error: string | undefined; onValue: (right: string) => void };

/** The right that is needed to see an application; empty: none. */
function RightField({ value, error, onValue }: RightFieldProps) {
  const { t } = useTranslation();
  return (
    <Field label={t('APPS.RIGHT')} hint={t('APPS.RIGHT_HINT')} error={error}>
      {(control) => <RightInput {...control} maxLength={64} value={value} onValue={onValue} />}
    </Field>
  );
}

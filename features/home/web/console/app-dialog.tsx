import { appLimits, type ManagedApp } from '#features/home/contract/apps.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { Checkbox, TextInput } from '#web/ui/text-input.tsx';
import { appValues, appWords, saveApp } from './app-form.ts';
import { AppPictureField } from './app-picture-field.tsx';
import { appsKey } from './apps-query.ts';
import { OtherLanguages } from './other-languages.tsx';
import { RightField } from './right-field.tsx';

type AppDialogProps = {
  /** Null: a new one. */
  app: ManagedApp | null;
  gone: boolean;
  onClose: () => void;
};

/** One application of the home screen. The address of one behind the gateway is the configuration's. */
export function AppDialog({ app, gone, onClose }: AppDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const form = useVersionedForm({
    saved: { values: appValues(app), ...(app?.version == null ? {} : { version: app.version }) },
    save: (values, version, _extra, creation) => saveApp(api, app, values, version, creation),
    async onSaved() {
      await queries.invalidateQueries({ queryKey: appsKey });
      notify({ kind: 'success', title: t('APPS.SAVED') });
      onClose();
    },
    reload: appsKey,
    gone,
  });
  const { values, set } = form;
  const problems = problemsOf(t, form.error, appWords, form.edited);
  return (
    <FormDialog
      title={app === null ? t('APPS.NEW') : t('APPS.EDIT_ONE', { name: app.name })}
      form={form}
      problem={problems.general}
      action={t('APPS.SAVE')}
      conflict={{ keepMine: t('APPS.KEEP_MINE') }}
      onSubmit={form.save}
      onClose={onClose}
    >
      <Field label={t('APPS.NAME')} error={problems.name} required>
        {(control) => (
          <TextInput
            {...control}
            autoComplete="off"
            maxLength={appLimits.name}
            value={values.name}
            onValue={(name) => set({ name })}
          />
        )}
      </Field>
      {app === null || app.upstream === null ? (
        <Field label={t('APPS.ADDRESS')} hint={t('APPS.ADDRESS_HINT')} error={problems.address} required>
          {(control) => (
            <TextInput
              {...control}
              type="url"
              autoComplete="off"
              spellCheck={false}
              maxLength={appLimits.address}
              placeholder="https://"
              value={values.address}
              onValue={(address) => set({ address })}
            />
          )}
        </Field>
      ) : (
        <p className="muted">{t('APPS.FROM_GATEWAY', { address: app.address })}</p>
      )}
      <Field label={t('APPS.DESCRIPTION')} hint={t('APPS.DESCRIPTION_HINT')} error={problems.description}>
        {(control) => (
          <TextInput
            {...control}
            autoComplete="off"
            maxLength={appLimits.description}
            value={values.description}
            onValue={(description) => set({ description })}
          />
        )}
      </Field>
      <AppPictureField
        app={app}
        name={values.name}
        picture={values.picture}
        error={problems.picture}
        onPicture={(picture) => set({ picture })}
      />
      <RightField value={values.right} error={problems.right} onValue={(right) => set({ right })} />
      {app?.upstream == null ? null : (
        <Checkbox label={t('APPS.SHOWN')} checked={values.shown} onChecked={(shown) => set({ shown })} />
      )}
      <OtherLanguages values={values} error={problems.names ?? problems.descriptions} onValues={set} />
    </FormDialog>
  );
}

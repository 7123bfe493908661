import { newPassword } from '#features/identity-provider/contract/identity-provider.ts';
import { useTranslation } from 'react-i18next';
import { Field } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { PasswordInput } from '#web/ui/text-input.tsx';

type NewPasswordFieldProps = {
  name: string;
  value: string;
  onValue: (value: string) => void;
  error: string | null;
};

/** A password that is being chosen: shows while it is typed whether it is long enough. */
export function NewPasswordField({ name, value, onValue, error }: NewPasswordFieldProps) {
  const { t } = useTranslation();
  const enough = newPassword.safeParse(value).success;
  return (
    <Field
      label={t('DOOR.PASSWORD')}
      hint={
        <>
          {t('ACCOUNT.PASSWORD_HINT')}
          <span className={enough ? 'entry-count entry-count-enough' : 'entry-count'}>
            {enough ? <Icon name="check" size={12} /> : null}
            {enough ? t('ACCOUNT.PASSWORD_ENOUGH') : t('ACCOUNT.PASSWORD_COUNT', { count: value.length })}
          </span>
        </>
      }
      error={error}
      required
      requiredMark={t('ACCOUNT.REQUIRED')}
    >
      {(control) => (
        <PasswordInput
          {...control}
          name={name}
          autoComplete="new-password"
          showLabel={t('DOOR.SHOW_PASSWORD')}
          hideLabel={t('DOOR.HIDE_PASSWORD')}
          value={value}
          onValue={onValue}
        />
      )}
    </Field>
  );
}

import type { SignInPolicy } from '#features/identity-provider/contract/sign-in-policy.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsForm, useSettingsForm } from '#features/settings/web/settings-form.tsx';
import { readBoot } from '#web/platform/boot.ts';
import { problemsOf, type ProblemWords } from '#web/platform/forms/problems-of.ts';
import { SelectField, TextAreaField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';

const words: ProblemWords<'registrationDomains'> = {
  fields: {
    registrationDomains: {
      'no-mail': 'SIGN_IN_POLICY.REGISTRATION.NO_MAIL',
      else: 'SIGN_IN_POLICY.REGISTRATION.REFUSED',
    },
  },
};

function domainsIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((one) => one !== '');
}

type RegistrationFormProps = {
  known: SignInPolicy;
  save: (policy: SignInPolicy) => Promise<SignInPolicy>;
  /** Of the policy, and what is shown once it is saved. */
  saving: Pick<Parameters<typeof useSettingsForm>[0], 'queryKey' | 'notice'>;
};

/** Who may register without an invitation (SES-16). */
export function RegistrationForm({ known, save, saving }: RegistrationFormProps) {
  const { t } = useTranslation();
  const [none, setNone] = useState(false);
  const { registrationDomains: saved, version: opened } = known;
  const form = useSettingsForm({
    saved: {
      values: { who: saved.length === 0 ? 'invited' : 'domains', domains: saved.join('\n') },
      version: opened,
    },
    save: ({ who, domains }, version) =>
      save({ ...known, registrationDomains: who === 'domains' ? domainsIn(domains) : [], version }),
    ...saving,
  });
  const { who, domains } = form.values;
  const problems = problemsOf(t, form.error, words);
  const noMail = readBoot().passwordMail ? null : (
    <Notice severity="medium">{t('SIGN_IN_POLICY.REGISTRATION.NO_MAIL')}</Notice>
  );
  if (noMail !== null && saved.length === 0) return noMail;
  return (
    <SettingsForm
      className="stack gap-4"
      form={form}
      problems={problems}
      action={t('SIGN_IN_POLICY.SAVE')}
      onSubmit={() => {
        const lacks = who === 'domains' && domainsIn(domains).length === 0;
        setNone(lacks);
        if (!lacks) form.save();
      }}
    >
      {noMail}
      <SelectField
        label={t('SIGN_IN_POLICY.REGISTRATION.WHO')}
        value={who}
        onValue={(value) => form.set({ who: value })}
        options={(['invited', 'domains'] as const).map((value) => ({
          value,
          label: t(`SIGN_IN_POLICY.REGISTRATION.${value.toUpperCase()}`),
        }))}
      />
      {who === 'domains' ? (
        <>
          <TextAreaField
            label={t('SIGN_IN_POLICY.REGISTRATION.LIST')}
            hint={t('SIGN_IN_POLICY.REGISTRATION.LIST_HINT')}
            error={none ? t('SIGN_IN_POLICY.REGISTRATION.LIST_REQUIRED') : problems.registrationDomains}
            required
            rows={3}
            autoCapitalize="none"
            spellCheck={false}
            value={domains}
            onValue={(value) => form.set({ domains: value })}
          />
          <p className="muted">{t('SIGN_IN_POLICY.REGISTRATION.EFFECT')}</p>
        </>
      ) : null}
    </SettingsForm>
  );
}

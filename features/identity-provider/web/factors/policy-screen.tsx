import {
  getSignInPolicy,
  setSignInPolicy,
  type SignInPolicy,
} from '#features/identity-provider/contract/sign-in-policy.ts';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsForm, SettingsSection, useSettingsForm } from '#features/settings/web/settings-form.tsx';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { SelectField, TextAreaField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { Checkbox } from '#web/ui/text-input.tsx';
import { readBoot } from '#web/platform/boot.ts';
import { problemsOf, type ProblemWords } from '#web/platform/forms/problems-of.ts';

const policyKey = ['sign-in-policy'] as const;
const policyQuery = {
  ...routeQuery(policyKey, getSignInPolicy, {}),
  staleTime: 0,
};

/** Who needs a second factor, and from when (SES-12); and who may register (SES-16). */
export function SignInPolicyScreen() {
  const { t } = useTranslation();
  const api = useApi();
  const policy = useQuery(policyQuery);
  const save = (body: SignInPolicy) => api.call(setSignInPolicy, { body });
  const notice = { key: 'sign-in-policy', title: t('SIGN_IN_POLICY.SAVED') };
  const shared = { save, saving: { queryKey: policyKey, notice } };
  return (
    <div className="stack gap-4">
      <ScreenHead title={t('SIGN_IN_POLICY.TITLE')} lead={t('SIGN_IN_POLICY.LEAD')} />
      {isProblem(policy.error, 'NOT_FOUND') ? (
        <Notice severity="info">{t('SIGN_IN_POLICY.ELSEWHERE')}</Notice>
      ) : (
        <SettingsSection
          id="sign-in-policy"
          title={t('SIGN_IN_POLICY.FACTOR.TITLE')}
          lead={t('SIGN_IN_POLICY.FACTOR.LEAD')}
          settings={policy}
          history="sign-in-policy"
        >
          {(known) => (
            <>
              <PolicyForm known={known} {...shared} />
              <section className="section section-divided" aria-labelledby="registration">
                <div>
                  <h2 id="registration">{t('SIGN_IN_POLICY.REGISTRATION.TITLE')}</h2>
                  <p className="muted">{t('SIGN_IN_POLICY.REGISTRATION.LEAD')}</p>
                </div>
                <RegistrationForm known={known} {...shared} />
              </section>
            </>
          )}
        </SettingsSection>
      )}
    </div>
  );
}

const grace = [0, 1, 3, 7, 14, 30, 90];
const remember = [0, 1, 7, 14, 30];

/** The usual numbers, and the present one. */
function choicesOf(usual: readonly number[], now: number): number[] {
  return [...new Set([...usual, now])].toSorted((one, other) => one - other);
}

function PolicyForm({ known, save, saving }: ComponentProps<typeof RegistrationForm>) {
  const { version: opened, registrationDomains, ...values } = known;
  const { t } = useTranslation();
  const words = useRightsWords();
  const form = useSettingsForm({
    saved: { values, version: opened },
    save: (typed, version) => save({ ...typed, registrationDomains, version }),
    ...saving,
  });
  const { secondFactor, roles, graceDays, rememberDays } = form.values;
  const days = (usual: readonly number[], now: number, none: string) =>
    choicesOf(usual, now).map((count) => ({
      value: String(count),
      label: count === 0 ? t(none) : t('SIGN_IN_POLICY.DAYS', { count }),
    }));
  return (
    <SettingsForm form={form}>
      <SelectField
        label={t('SIGN_IN_POLICY.FACTOR.WHO')}
        {...form.field('secondFactor')}
        options={(['off', 'offered', 'required'] as const).map((value) => ({
          value,
          label: t(`SIGN_IN_POLICY.FACTOR.${value.toUpperCase()}`),
        }))}
      />
      {secondFactor === 'required' ? (
        <>
          <fieldset className="choice">
            <legend>{t('SIGN_IN_POLICY.ROLES')}</legend>
            <div className="stack gap-2">
              {words.roles.map(({ role }) => (
                <Checkbox
                  key={role}
                  label={words.role(role)}
                  checked={roles.includes(role)}
                  onChecked={(checked) =>
                    form.set({
                      roles: checked ? [...roles, role] : roles.filter((one) => one !== role),
                    })
                  }
                />
              ))}
            </div>
          </fieldset>
          <SelectField
            label={t('SIGN_IN_POLICY.GRACE')}
            hint={t('SIGN_IN_POLICY.GRACE_HINT')}
            value={String(graceDays)}
            onValue={(value) => form.set({ graceDays: Number(value) })}
            options={days(grace, graceDays, 'SIGN_IN_POLICY.AT_ONCE')}
          />
        </>
      ) : null}
      <SelectField
        label={t('SIGN_IN_POLICY.REMEMBER')}
        hint={t('SIGN_IN_POLICY.REMEMBER_HINT')}
        value={String(rememberDays)}
        onValue={(value) => form.set({ rememberDays: Number(value) })}
        options={days(remember, rememberDays, 'SIGN_IN_POLICY.NEVER')}
      />
    </SettingsForm>
  );
}

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
  /** The key of the policy's query, and the notice that is shown once the policy is saved. */
  saving: Pick<Parameters<typeof useSettingsForm>[0], 'queryKey' | 'notice'>;
};

/** Who may register without an invitation (SES-16). */
function RegistrationForm({ known, save, saving }: RegistrationFormProps) {
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
      form={form}
      problems={problems}
      onSubmit={() => {
        const lacks = who === 'domains' && domainsIn(domains).length === 0;
        setNone(lacks);
        if (!lacks) form.save();
      }}
    >
      {noMail}
      <SelectField
        label={t('SIGN_IN_POLICY.REGISTRATION.WHO')}
        {...form.field('who')}
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
            {...form.field('domains')}
          />
          <p className="muted">{t('SIGN_IN_POLICY.REGISTRATION.EFFECT')}</p>
        </>
      ) : null}
    </SettingsForm>
  );
}

import {
  getSignInPolicy,
  setSignInPolicy,
  type SignInPolicy,
} from '#features/identity-provider/contract/sign-in-policy.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsForm, SettingsSection, useSettingsForm } from '#features/settings/web/settings-form.tsx';
import type { Api } from '#web/platform/calls/call.ts';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { SelectField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { Checkbox } from '#web/ui/text-input.tsx';
import { RegistrationForm } from './registration-form.tsx';

const policyKey = ['sign-in-policy'] as const;
const policyQuery = (api: Api) =>
  queryOptions({
    queryKey: policyKey,
    queryFn: ({ signal }) => api.call(getSignInPolicy, {}, { signal }),
    staleTime: 0,
  });

/** Who needs a second factor, and from when (SES-12); and who may register (SES-16). */
export function SignInPolicyScreen() {
  const { t } = useTranslation();
  const api = useApi();
  const policy = useQuery(policyQuery(api));
  const save = (body: SignInPolicy) => api.call(setSignInPolicy, { body });
  const notice = { key: 'sign-in-policy', title: t('SIGN_IN_POLICY.SAVED') };
  const shared = { save, saving: { queryKey: policyKey, notice } };
  return (
    <div className="person-data stack gap-4">
      <ScreenHead title={t('SIGN_IN_POLICY.TITLE')} lead={t('SIGN_IN_POLICY.LEAD')} />
      {isProblem(policy.error, 'NOT_FOUND') ? (
        <Notice severity="info">{t('SIGN_IN_POLICY.ELSEWHERE')}</Notice>
      ) : (
        <SettingsSection
          id="sign-in-policy"
          title={t('SIGN_IN_POLICY.FACTOR.TITLE')}
          lead={t('SIGN_IN_POLICY.FACTOR.LEAD')}
          settings={policy}
          failed={{ title: t('SIGN_IN_POLICY.FAILED'), text: t('SIGN_IN_POLICY.FAILED_TEXT') }}
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
    <SettingsForm className="stack gap-4" form={form} action={t('SIGN_IN_POLICY.SAVE')}>
      <SelectField
        label={t('SIGN_IN_POLICY.FACTOR.WHO')}
        value={secondFactor}
        onValue={(value) => form.set({ secondFactor: value })}
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

import type { Profile } from '#features/profile/contract/profile.ts';
import { presentTimeZone } from '#contract/time-zones.ts';
import { Link } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ownTimeZone } from '#web/platform/i18n/formats.ts';
import { languages } from '#web/platform/i18n/language.ts';
import { timeInZone } from '#web/platform/time/time-zones.ts';
import { useNow } from '#web/platform/time/use-now.ts';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { LanguageChoice } from '../language-choice.ts';
import type { OwnProfile } from '../profile.ts';
import { ZoneField } from '../zone-field.tsx';
import {
  faultText,
  fieldLabel,
  fieldValue,
  type ProfileFormState,
  useProfileForm,
} from './use-profile-form.ts';
import { useFormats } from '#web/platform/contexts.tsx';
import { onePress } from '#web/ui/dialog.tsx';
import { RestoredWork, SaveBar } from '#web/ui/save-bar.tsx';
import { Icon } from '#web/ui/icon.tsx';
import type { Clash, Draft, FormField } from './draft.ts';
import { fieldsOf } from '../profile-fields.ts';
import { OwnNotices, useOwnNotices } from '#features/webhooks/web/own-notices.tsx';

type ProfileFormProps = {
  user: Profile;
  profile: Pick<OwnProfile, 'update'>;
  languageChoice: Pick<LanguageChoice, 'dropChoice'>;
  /** The picture, which is saved separately. */
  picture: ReactNode;
};

const asInBrowser = 'browser';
const device = 'device';

/** The form of the own profile. */
export function ProfileForm({ user, profile, languageChoice, picture }: ProfileFormProps) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const clashes = useRef<HTMLHeadingElement>(null);
  const notices = useOwnNotices();
  const [goTo, setGoTo] = useState<{ place: 'invalid' | 'clashes' } | null>(null);
  useEffect(() => {
    if (goTo?.place === 'clashes') clashes.current?.focus();
    else if (goTo !== null)
      place.current?.querySelector<HTMLElement>('[aria-invalid=true], [data-wrong]')?.focus();
  }, [goTo]);
  const form = useProfileForm({
    user,
    profile,
    languageChoice,
    onInvalid: () => setGoTo({ place: 'invalid' }),
    onClash: () => setGoTo({ place: 'clashes' }),
  });

  function discardRestored(): void {
    form.discard();
    // The focused button disappears, so the focus moves to the button that saves.
    place.current?.querySelector<HTMLElement>('.save-bar [type=submit]')?.focus();
  }

  return (
    // Not a form element: dialogs hold forms of their own, and forms cannot be nested.
    <div ref={place} className="profile-parts">
      <RestoredWork onDiscard={form.isRestored ? discardRestored : null} />
      <Clashes draft={form.draft} asked={form.asked} heading={clashes} onSettle={form.settle} />
      <Section title={t('PROFILE.SECTIONS.PICTURE')}>{picture}</Section>
      <form
        className="profile-parts"
        noValidate
        aria-busy={form.busy}
        onSubmit={(event) => {
          event.preventDefault();
          onePress(event.currentTarget, () => {
            if (form.isChanged && !form.busy) void form.send();
            if (notices.form.typed) notices.form.save();
          });
        }}
      >
        <PersonSections form={form} email={user.email} />
        <RegionSection form={form} />
        {notices.isOffered ? (
          <Section title={t('NOTICES.TITLE')}>
            <OwnNotices {...notices} />
          </Section>
        ) : null}
        <SaveBar
          typed={form.isChanged || notices.form.typed}
          busy={form.busy || notices.form.busy}
          action={t('EDITING.SAVE')}
          onDiscard={() => {
            form.discard();
            notices.form.takeTheirs();
          }}
          above={<NotSaved why={form.notSaved} />}
        />
      </form>
      <AccountSection createdAt={user.createdAt} />
    </div>
  );
}

/** Why the last try saved nothing. */
function NotSaved({ why }: { why: ProfileFormState['notSaved'] }) {
  const { t } = useTranslation();
  if (why === null) return null;
  return (
    <Notice
      severity={why.severity}
      // A failure is also a notification, which is announced by itself.
      {...(why.severity === 'high' ? {} : { role: 'alert' as const })}
      title={t('PROFILE.NOT_SAVED.TITLE')}
    >
      {why.text}
    </Notice>
  );
}

/** Name, contact and work. */
function PersonSections({ form, email }: { form: ProfileFormState; email: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Section title={t('PROFILE.SECTIONS.NAME')}>
        <div className="field-row">
          <ProfileField form={form} field="firstName" autoComplete="given-name" />
          <ProfileField form={form} field="lastName" autoComplete="family-name" />
        </div>
      </Section>
      <Section title={t('PROFILE.SECTIONS.CONTACT')}>
        <Fact label={t('PROFILE.FIELDS.EMAIL')} why={t('PROFILE.WHY.EMAIL')}>
          {email}
        </Fact>
        <ProfileField
          form={form}
          field="phone"
          type="tel"
          autoComplete="tel"
          hint={t('PROFILE.HINTS.PHONE')}
        />
      </Section>
      <Section title={t('PROFILE.SECTIONS.WORK')}>
        <ProfileField form={form} field="organisation" autoComplete="organization" />
        <ProfileField form={form} field="jobTitle" autoComplete="organization-title" />
      </Section>
    </>
  );
}

function RegionSection({ form: { values, faults, change, check } }: { form: ProfileFormState }) {
  const { t } = useTranslation();
  const { locale } = useFormats();
  const now = useNow(30_000);
  const own = presentTimeZone(ownTimeZone()).replaceAll('_', ' ');
  return (
    <Section title={t('PROFILE.SECTIONS.REGION')}>
      <SelectField
        label={fieldLabel(t, 'locale')}
        hint={t('PROFILE.HINTS.LANGUAGE')}
        error={faultText(t, faults.locale)}
        value={values.locale ?? asInBrowser}
        onValue={(value) => change('locale', value === asInBrowser ? null : value)}
        onBlur={() => check('locale')}
        options={[
          { value: asInBrowser, label: t('PROFILE.LANGUAGE.BROWSER') },
          ...languages.map(({ language, label }) => ({ value: language, label })),
        ]}
      />
      <ZoneField
        label={fieldLabel(t, 'timeZone')}
        hint={t('PROFILE.TIME_ZONE.HINT', { time: timeInZone(values.timeZone, now, locale) })}
        error={faultText(t, faults.timeZone)}
        value={values.timeZone ?? device}
        first={[{ key: device, label: t('PROFILE.TIME_ZONE.DEVICE', { zone: own }), zone: null }]}
        now={now}
        onValue={(zone) => change('timeZone', zone === device ? null : zone)}
      />
    </Section>
  );
}

function AccountSection({ createdAt }: { createdAt: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <Section title={t('PROFILE.SECTIONS.ACCOUNT')}>
      <Fact label={t('PROFILE.FIELDS.SINCE')} why={t('PROFILE.WHY.SINCE')}>
        {formats.date(createdAt)}
      </Fact>
      <Fact label={t('PROFILE.SESSIONS.LABEL')} why={t('PROFILE.SESSIONS.WHY')}>
        <Link to="/sessions">{t('PROFILE.SESSIONS.LINK')}</Link>
      </Fact>
    </Section>
  );
}

type ProfileFieldProps = {
  form: ProfileFormState;
  field: 'firstName' | 'lastName' | 'phone' | 'organisation' | 'jobTitle';
  autoComplete: string;
  type?: string;
  hint?: string | undefined;
};

function ProfileField({ form, field, autoComplete, type = 'text', hint }: ProfileFieldProps) {
  const { t } = useTranslation();
  return (
    <TextField
      label={fieldLabel(t, field)}
      error={faultText(t, form.faults[field])}
      hint={hint}
      type={type}
      autoComplete={autoComplete}
      value={form.values[field]}
      onValue={(value) => form.change(field, value)}
      onBlur={() => form.check(field)}
    />
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="profile-section grid ruled">
      <legend>{title}</legend>
      <div className="fields">{children}</div>
    </fieldset>
  );
}

/** A value that the person cannot change here, and why. */
function Fact({ label, why, children }: { label: string; why: string; children: ReactNode }) {
  return (
    <dl className="stack gap-1">
      <dt className="field-label">{label}</dt>
      <dd>{children}</dd>
      <dd className="muted small">{why}</dd>
    </dl>
  );
}

type ClashesProps = {
  draft: Draft;
  /** Whether the person tried to save before deciding. */
  asked: boolean;
  heading: RefObject<HTMLHeadingElement | null>;
  onSettle: (field: FormField, wanted: 'mine' | 'theirs') => void;
};

/**
 * Fields that were saved elsewhere while the form was open and differ from what is typed: the person decides.
 */
function Clashes({ draft, asked, heading, onSettle }: ClashesProps) {
  const { t } = useTranslation();
  const id = useId();
  if (draft.clashes.length === 0 && draft.taken.length === 0) return null;
  const now = fieldsOf(draft.base);
  return (
    <section className="clashes row top gap-3 pad-4" aria-labelledby={id}>
      <Icon name="warning" />
      <div className="grow stack gap-4">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {t('PROFILE.CLASHES.TITLE')}
        </h2>
        <p>{draft.clashes.length === 0 ? t('PROFILE.CLASHES.TAKEN_LEAD') : t('PROFILE.CLASHES.LEAD')}</p>
        {draft.clashes.map((clash) => (
          <OneClash key={clash.field} clash={clash} asked={asked} onSettle={onSettle} />
        ))}
        {draft.taken.length === 0 ? null : (
          <div>
            <h3>{t('PROFILE.CLASHES.TAKEN')}</h3>
            <dl className="facts">
              {draft.taken.map((field) => (
                <div key={field}>
                  <dt>{fieldLabel(t, field)}</dt>
                  <dd>{fieldValue(t, field, now[field])}</dd>
                </div>
              ))}
            </dl>
          </div>
        )}
      </div>
    </section>
  );
}

type OneClashProps = { clash: Clash; asked: boolean; onSettle: ClashesProps['onSettle'] };

function OneClash({ clash: { field, mine, theirs, wanted }, asked, onSettle }: OneClashProps) {
  const { t } = useTranslation();
  const id = useId();
  const missing = asked && wanted === null;
  return (
    <fieldset className="choice" aria-describedby={missing ? `${id}-error` : undefined}>
      <legend>{fieldLabel(t, field)}</legend>
      {(['mine', 'theirs'] as const).map((side) => (
        <label key={side} className="check">
          <input
            type="radio"
            name={id}
            checked={wanted === side}
            data-wrong={missing ? '' : undefined}
            onChange={() => onSettle(field, side)}
          />
          <span>
            {side === 'mine' ? t('PROFILE.CLASHES.MINE') : t('PROFILE.CLASHES.THEIRS')}{' '}
            <strong className="breaks">{fieldValue(t, field, side === 'mine' ? mine : theirs)}</strong>
          </span>
        </label>
      ))}
      {missing ? (
        <span className="field-error" id={`${id}-error`} role="alert">
          <Icon name="alert" size={14} />
          <span>{t('PROFILE.CLASHES.MISSING')}</span>
        </span>
      ) : null}
    </fieldset>
  );
}

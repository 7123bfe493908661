import type { Profile } from '@portico/contract/profile';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../platform/i18n/formats-context.tsx';
import { languages } from '../../../platform/i18n/language.ts';
import { useFoundWork, useKeepWork } from '../../../platform/kept-work.ts';
import { changesRefused, problemText } from '../../../platform/problem-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { notify } from '../../../ui/notifications/notifications.ts';
import { RestoredWork } from '../../../ui/restored-work.tsx';
import { Select, TextInput } from '../../../ui/text-input.tsx';
import type { LanguageChoice } from '../language-choice.ts';
import type { OwnProfile, UpdateOutcome } from '../profile.ts';
import { Clashes } from './clashes.tsx';
import {
  afterSaving,
  changedFields,
  type Draft,
  draftOf,
  edit,
  fieldsToSave,
  type FormField,
  formFields,
  type FormFields,
  readKeptDraft,
  rebase,
  settle,
  undecided,
  valuesOf,
} from './draft.ts';
import { type FieldFaults, faultsFrom, faultsOf } from './field-problems.ts';
import { faultText, fieldLabel } from './field-words.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { isRefused, outcomeMessage } from './outcome-message.ts';
import { TimeZoneField } from './time-zone-field.tsx';

type ProfileFormProps = {
  user: Profile;
  profile: Pick<OwnProfile, 'update'>;
  languageChoice: Pick<LanguageChoice, 'letGo'>;
  /** The picture, which is changed by itself. */
  picture: ReactNode;
};

type TextField = 'firstName' | 'lastName' | 'phone' | 'organisation' | 'jobTitle';

const workName = 'profile';
const asInBrowser = 'browser';

/** What a person tells about themselves. Whatever happens, what is typed stays until it is saved or thrown away. */
export function ProfileForm({ user, profile, languageChoice, picture }: ProfileFormProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const work = useFoundWork(workName, readKeptDraft);
  const [restored, setRestored] = useState(work.found !== null);
  const [draft, setDraft] = useState(() => work.found ?? draftOf(user));
  const [checked, setChecked] = useState<ReadonlySet<FormField>>(new Set());
  const [refused, setRefused] = useState<FieldFaults>({});
  /** Why the last try saved nothing, in words. */
  const [notSaved, setNotSaved] = useState<{ severity: 'high' | 'info'; text: string } | null>(null);
  const [nothingToSave, setNothingToSave] = useState(false);
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const clashes = useRef<HTMLHeadingElement>(null);
  const save = useRef<HTMLButtonElement>(null);
  /** A success that was told in the language of before. */
  const toldBefore = useRef<UpdateOutcome | null>(null);
  const [goTo, setGoTo] = useState<{ place: 'wrong' | 'clashes' } | null>(null);

  // It was changed through another tab, by the picture, or by the menu.
  if (!busy && draft.base !== user) setDraft(rebase(draft, user, false));

  const values = valuesOf(draft);
  const changed = changedFields(draft);
  useKeepWork(workName, changed.length > 0 ? draft : null);
  const found = faultsOf(values);
  const faults: FieldFaults = { ...refused };
  for (const field of formFields) {
    if (checked.has(field) && found[field] !== undefined) Object.assign(faults, { [field]: found[field] });
  }

  useEffect(() => {
    if (goTo?.place === 'clashes') clashes.current?.focus();
    else if (goTo !== null)
      place.current?.querySelector<HTMLElement>('[aria-invalid=true], [data-wrong]')?.focus();
  }, [goTo]);
  // What was said of maintenance is not true any more.
  useEffect(
    () =>
      changesRefused.subscribe(() => {
        if (!changesRefused.get()) setNotSaved((now) => (now?.severity === 'info' ? null : now));
      }),
    [],
  );
  useEffect(() => {
    if (toldBefore.current !== null) notify(outcomeMessage(t, toldBefore.current));
    toldBefore.current = null;
  }, [t]);

  const change = useCallback(<F extends FormField>(field: F, value: FormFields[F]) => {
    setDraft((now) => edit(now, field, value));
    setRefused(({ [field]: _gone, ...others }) => others);
    setNothingToSave(false);
  }, []);
  const check = useCallback((field: FormField) => setChecked((now) => new Set([...now, field])), []);
  const changeZone = useCallback((zone: string | null) => change('timeZone', zone), [change]);
  const checkZone = useCallback(() => check('timeZone'), [check]);

  function discard(): void {
    setDraft(draftOf(user));
    setChecked(new Set());
    setRefused({});
    setNotSaved(null);
    setAsked(false);
    setRestored(false);
    // The button that was pressed goes away.
    save.current?.focus();
  }

  async function send(): Promise<void> {
    setNotSaved(null);
    setChecked(new Set(formFields));
    setNothingToSave(changed.length === 0);
    if (undecided(draft).length > 0) setAsked(true);
    if (undecided(draft).length > 0 || Object.keys(found).length > 0) {
      setGoTo({ place: 'wrong' });
      return;
    }
    if (changed.length === 0) return;
    setBusy(true);
    if (changed.includes('locale')) languageChoice.letGo(values.locale);
    const { sent, outcome } = await update(draft);
    // That changes are not taken for now the form says itself.
    if (!isRefused(outcome)) notify(outcomeMessage(t, outcome));
    if (outcome.status === 'saved') {
      if (changed.includes('locale')) toldBefore.current = outcome;
      setDraft((now) => afterSaving(now, sent, outcome.profile));
      setRestored(false);
      setChecked(new Set());
      setRefused({});
      setAsked(false);
    } else showWhy(outcome);
    setBusy(false);
  }

  /** Sends it; once more where what was changed elsewhere is nothing that this form shows. */
  async function update(first: Draft): Promise<{ sent: Draft; outcome: UpdateOutcome }> {
    const outcome = await profile.update(fieldsToSave(first), first.base.version);
    if (outcome.status !== 'conflict' || outcome.theirs === null) return { sent: first, outcome };
    const again = rebase(first, outcome.theirs, true);
    if (again.clashes.length > 0 || again.taken.length > 0) return { sent: first, outcome };
    return { sent: first, outcome: await profile.update(fieldsToSave(again), again.base.version) };
  }

  function showWhy(outcome: Exclude<UpdateOutcome, { status: 'saved' }>): void {
    if (outcome.status === 'invalid') {
      const { faults: named, others } = faultsFrom(outcome.problems);
      setRefused(named);
      setGoTo({ place: 'wrong' });
      const known = Object.keys(named).length > 0 && others === 0;
      setNotSaved({
        severity: 'high',
        text: known ? t('PROFILE.NOT_SAVED.FIELDS') : t('PROFILE.NOT_SAVED.REFUSED'),
      });
    } else if (outcome.status === 'conflict' && outcome.theirs !== null) {
      const { theirs } = outcome;
      setDraft((now) => rebase(now, theirs, true));
      setAsked(false);
      setGoTo({ place: 'clashes' });
    } else
      setNotSaved({ severity: isRefused(outcome) ? 'info' : 'high', text: problemText(t, outcome.error) });
  }

  const text = (field: TextField, autoComplete: string, more: { type?: string; hint?: string } = {}) => (
    <Field
      label={fieldLabel(t, field)}
      error={faultText(t, faults[field])}
      {...(more.hint === undefined ? {} : { hint: more.hint })}
    >
      {(control) => (
        <TextInput
          {...control}
          type={more.type ?? 'text'}
          autoComplete={autoComplete}
          value={values[field]}
          onValue={(value) => change(field, value)}
          onBlur={() => check(field)}
        />
      )}
    </Field>
  );

  return (
    // Dialogs hold forms of their own, and a form stands in no other.
    <div ref={place} className="profile-parts">
      {restored && changed.length > 0 && !busy ? (
        <RestoredWork
          text={t('COMMON.RESTORED.TEXT')}
          discard={t('COMMON.RESTORED.DISCARD')}
          onDiscard={discard}
        />
      ) : null}
      <Clashes
        draft={draft}
        asked={asked}
        heading={clashes}
        onSettle={(field, wanted) => setDraft(settle(draft, field, wanted))}
      />
      <Section title={t('PROFILE.SECTIONS.PICTURE')}>{picture}</Section>
      <form
        className="profile-parts"
        noValidate
        aria-busy={busy}
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void send();
        }}
      >
        <Section title={t('PROFILE.SECTIONS.NAME')}>
          <div className="field-row">
            {text('firstName', 'given-name')}
            {text('lastName', 'family-name')}
          </div>
        </Section>
        <Section title={t('PROFILE.SECTIONS.CONTACT')}>
          <Fact label={t('PROFILE.FIELDS.EMAIL')} why={t('PROFILE.WHY.EMAIL')}>
            {user.email}
          </Fact>
          {text('phone', 'tel', { type: 'tel', hint: t('PROFILE.HINTS.PHONE') })}
        </Section>
        <Section title={t('PROFILE.SECTIONS.WORK')}>
          {text('organisation', 'organization')}
          {text('jobTitle', 'organization-title')}
        </Section>
        <Section title={t('PROFILE.SECTIONS.REGION')}>
          <Field
            label={fieldLabel(t, 'locale')}
            hint={t('PROFILE.HINTS.LANGUAGE')}
            error={faultText(t, faults.locale)}
          >
            {(control) => (
              <Select
                {...control}
                value={values.locale ?? asInBrowser}
                onValue={(value) => change('locale', value === asInBrowser ? null : value)}
                onBlur={() => check('locale')}
                options={[
                  { value: asInBrowser, label: t('PROFILE.LANGUAGE.BROWSER') },
                  ...languages.map(({ language, label }) => ({ value: language, label })),
                ]}
              />
            )}
          </Field>
          <TimeZoneField
            value={values.timeZone}
            error={faultText(t, faults.timeZone)}
            onValue={changeZone}
            onBlur={checkZone}
          />
        </Section>
        <Section title={t('PROFILE.SECTIONS.ACCOUNT')}>
          <Fact label={t('PROFILE.FIELDS.SINCE')} why={t('PROFILE.WHY.SINCE')}>
            {formats.date(user.createdAt)}
          </Fact>
          <Fact label={t('PROFILE.SESSIONS.LABEL')} why={t('PROFILE.SESSIONS.WHY')}>
            <Link to="/sessions">{t('PROFILE.SESSIONS.LINK')}</Link>
          </Fact>
        </Section>
        <div className="profile-bar" data-unsaved={changed.length > 0 ? '' : undefined}>
          {notSaved === null ? null : (
            <Notice
              severity={notSaved.severity}
              // A failure is a notification besides, which speaks for itself.
              {...(notSaved.severity === 'info' ? { role: 'alert' as const } : {})}
              title={t('PROFILE.NOT_SAVED.TITLE')}
            >
              {notSaved.text}
            </Notice>
          )}
          <div className="button-row">
            <Button ref={save} tone="primary" type="submit" busy={busy}>
              {t('PROFILE.SAVE')}
            </Button>
            {changed.length === 0 || busy ? null : (
              <Button tone="quiet" onClick={discard}>
                {t('PROFILE.DISCARD')}
              </Button>
            )}
            <span className="muted" role="status">
              {changed.length > 0 ? t('PROFILE.UNSAVED') : nothingToSave ? t('PROFILE.NOTHING_TO_SAVE') : ''}
            </span>
          </div>
        </div>
      </form>
      <LeaveGuard changed={changed.map((field) => fieldLabel(t, field))} onLeave={work.forget} />
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="profile-section">
      <legend>{title}</legend>
      <div className="fields">{children}</div>
    </fieldset>
  );
}

/** Something that the person cannot change here, and why. */
function Fact({ label, why, children }: { label: string; why: string; children: ReactNode }) {
  return (
    <dl className="profile-fact">
      <dt className="field-label">{label}</dt>
      <dd>{children}</dd>
      <dd className="field-hint">{why}</dd>
    </dl>
  );
}

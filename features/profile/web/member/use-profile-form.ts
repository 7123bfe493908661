import type { Profile } from '#features/profile/contract/profile.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changesRefused, isUnreachable, problemText } from '#web/platform/calls/problem-text.ts';
import { useFoundWork, useStoreWork } from '#web/platform/forms/stored-work.ts';
import { useUnsavedWork } from '#web/platform/forms/unsaved-work.ts';
import { notify } from '#web/ui/notifications/notifications.ts';
import type { LanguageChoice } from '../language-choice.ts';
import type { OwnProfile, UpdateOutcome } from '../profile.ts';
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
  readStoredDraft,
  rebase,
  settle,
  undecided,
  valuesOf,
} from './draft.ts';
import { faultsFrom, faultsOf, type FieldFault, type FieldFaults } from './field-problems.ts';
import { isRefused, outcomeMessage } from './outcome-message.ts';
import { useFormats } from '#web/platform/contexts.tsx';
import type { TFunction } from 'i18next';
import { languages } from '#web/platform/i18n/language.ts';

const labels: Record<FormField, string> = {
  firstName: 'PROFILE.FIELDS.FIRST_NAME',
  lastName: 'PROFILE.FIELDS.LAST_NAME',
  phone: 'PROFILE.FIELDS.PHONE',
  organisation: 'PROFILE.FIELDS.ORGANISATION',
  jobTitle: 'PROFILE.FIELDS.JOB_TITLE',
  locale: 'PROFILE.LANGUAGE.LABEL',
  timeZone: 'PROFILE.TIME_ZONE.LABEL',
};

export function fieldLabel(t: TFunction, field: FormField): string {
  return t(labels[field]);
}

/** A value as a person reads it. */
export function fieldValue(t: TFunction, field: FormField, value: FormFields[FormField]): string {
  if (field === 'locale') {
    return languages.find(({ language }) => language === value)?.label ?? t('PROFILE.LANGUAGE.BROWSER');
  }
  if (field === 'timeZone')
    return value === null ? t('PROFILE.TIME_ZONE.LIKE_DEVICE') : value.replaceAll('_', ' ');
  return value === null || value.trim() === '' ? t('PROFILE.CLASHES.EMPTY') : value;
}

export function faultText(t: TFunction, fault: FieldFault | undefined): string | null {
  return fault === undefined ? null : t(`PROFILE.FAULTS.${fault.kind}`, { max: fault.max });
}

/** `medium`: the server could not be reached. `info`: no error; it can be saved later, or now again. */
export type NotSaved = { severity: 'high' | 'medium' | 'info'; text: string };

export type ProfileFormState = ReturnType<typeof useProfileForm>;

type ProfileFormOptions = {
  user: Profile;
  profile: Pick<OwnProfile, 'update'>;
  languageChoice: Pick<LanguageChoice, 'dropChoice'>;
  onInvalid: () => void;
  onClash: () => void;
};

const workName = 'profile';

/**
 * The draft of the own profile, its problems, and saving it. What is typed stays until it is saved or
 * discarded.
 */
export function useProfileForm(options: ProfileFormOptions) {
  const { user, profile, languageChoice, onInvalid, onClash } = options;
  const { t } = useTranslation();
  const formats = useFormats();
  const work = useFoundWork(workName, readStoredDraft);
  const [restored, setRestored] = useState(work.found !== null);
  const [draft, setDraft] = useState(() => work.found ?? draftOf(user));
  const [checked, setChecked] = useState<ReadonlySet<FormField>>(new Set());
  const [refused, setRefused] = useState<FieldFaults>({});
  const [notSaved, setNotSaved] = useNotSaved();
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const notifyAgain = useNotifyInNewLanguage();

  // The profile was changed in another tab, by the picture, or by the menu.
  if (!busy && draft.base !== user) setDraft(rebase(draft, user, false));

  const values = valuesOf(draft);
  const changed = changedFields(draft);
  useUnsavedWork(changed.length > 0, {
    sentence: t('PROFILE.LEAVING', { fields: formats.list(changed.map((field) => fieldLabel(t, field))) }),
    onDiscard: work.forget,
  });
  useStoreWork(workName, changed.length > 0 ? draft : null);
  const found = faultsOf(values);
  const faults: FieldFaults = { ...refused };
  for (const field of formFields) {
    if (checked.has(field) && found[field] !== undefined) Object.assign(faults, { [field]: found[field] });
  }

  const change = useCallback(<F extends FormField>(field: F, value: FormFields[F]) => {
    setDraft((now) => edit(now, field, value));
    setRefused(({ [field]: _gone, ...others }) => others);
  }, []);
  const check = useCallback((field: FormField) => setChecked((now) => new Set([...now, field])), []);

  function clearMarks(): void {
    setRestored(false);
    setChecked(new Set());
    setRefused({});
    setAsked(false);
  }

  function discard(): void {
    setDraft(draftOf(user));
    setNotSaved(null);
    clearMarks();
  }

  async function send(): Promise<void> {
    setNotSaved(null);
    setChecked(new Set(formFields));
    if (undecided(draft).length > 0) setAsked(true);
    if (undecided(draft).length > 0 || Object.keys(found).length > 0) {
      onInvalid();
      return;
    }
    setBusy(true);
    if (changed.includes('locale')) languageChoice.dropChoice(values.locale);
    const { sent, outcome } = await updateOrRebase(profile, draft);
    // A refusal during maintenance and an unreachable server are shown in the form.
    if (!isShownInForm(outcome)) notify(outcomeMessage(t, outcome));
    if (outcome.status === 'saved') {
      if (changed.includes('locale')) notifyAgain(outcome);
      setDraft((now) => afterSaving(now, sent, outcome.profile));
      clearMarks();
    } else showWhy(outcome);
    setBusy(false);
  }

  function showWhy(outcome: FailedUpdate): void {
    if (outcome.status === 'invalid') {
      const { faults: named, others } = faultsFrom(outcome.problems);
      setRefused(named);
      onInvalid();
      const known = Object.keys(named).length > 0 && others === 0;
      setNotSaved({
        severity: 'high',
        text: known ? t('PROFILE.NOT_SAVED.FIELDS') : t('PROFILE.NOT_SAVED.REFUSED'),
      });
    } else if (outcome.status === 'conflict' && outcome.theirs !== null) {
      const { theirs } = outcome;
      setDraft((now) => rebase(now, theirs, true));
      setAsked(false);
      onClash();
    } else setNotSaved({ severity: severityOf(outcome), text: problemText(t, outcome.error) });
  }

  return {
    draft,
    values,
    faults,
    asked,
    busy,
    notSaved,
    isChanged: changed.length > 0,
    isRestored: restored && changed.length > 0 && !busy,
    change,
    check,
    settle: (field: FormField, wanted: 'mine' | 'theirs') => setDraft(settle(draft, field, wanted)),
    discard,
    send,
  };
}

type FailedUpdate = Exclude<UpdateOutcome, { status: 'saved' }>;

/** Sends a draft; again if a conflict concerns no field of this form. */
async function updateOrRebase(
  profile: Pick<OwnProfile, 'update'>,
  first: Draft,
): Promise<{ sent: Draft; outcome: UpdateOutcome }> {
  const outcome = await profile.update(fieldsToSave(first), first.base.version);
  if (outcome.status !== 'conflict' || outcome.theirs === null) return { sent: first, outcome };
  const again = rebase(first, outcome.theirs, true);
  if (again.clashes.length > 0 || again.taken.length > 0) return { sent: first, outcome };
  return { sent: first, outcome: await profile.update(fieldsToSave(again), again.base.version) };
}

/** Why the last try saved nothing, in words; a reason that no longer holds is removed or replaced. */
function useNotSaved() {
  const { t } = useTranslation();
  const [notSaved, setNotSaved] = useState<NotSaved | null>(null);
  // Maintenance has ended.
  useEffect(
    () =>
      changesRefused.subscribe(() => {
        if (!changesRefused.get()) setNotSaved((now) => (now?.severity === 'info' ? null : now));
      }),
    [],
  );
  // Not sent by itself when the network is back: the profile may have been changed elsewhere.
  useEffect(() => {
    const back = () =>
      setNotSaved((now) =>
        now?.severity === 'medium' ? { severity: 'info', text: t('PROFILE.NOT_SAVED.BACK') } : now,
      );
    window.addEventListener('online', back);
    return () => window.removeEventListener('online', back);
  }, [t]);
  return [notSaved, setNotSaved] as const;
}

/** After a change of language, repeats the notification once the new language is in use. */
function useNotifyInNewLanguage(): (outcome: UpdateOutcome) => void {
  const { t } = useTranslation();
  const outcome = useRef<UpdateOutcome | null>(null);
  useEffect(() => {
    if (outcome.current !== null) notify(outcomeMessage(t, outcome.current));
    outcome.current = null;
  }, [t]);
  return (now) => {
    outcome.current = now;
  };
}

function isShownInForm(outcome: UpdateOutcome): boolean {
  return outcome.status !== 'saved' && severityOf(outcome) !== 'high';
}

function severityOf(outcome: FailedUpdate): NotSaved['severity'] {
  if (isRefused(outcome)) return 'info';
  return isUnreachable(outcome.error) ? 'medium' : 'high';
}

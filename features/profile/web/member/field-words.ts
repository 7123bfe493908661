import type { TFunction } from 'i18next';
import { languages } from '#web/platform/i18n/language.ts';
import type { FieldFault } from './field-problems.ts';
import type { FormField, FormFields } from './draft.ts';

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

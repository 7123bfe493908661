import { useTranslation } from 'react-i18next';
import { catalogueKey } from '../../platform/i18n/catalogue-key.ts';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { isObject, isPlain } from './difference.ts';

/** `leadMinutes` as the catalogues write it: `LEAD_MINUTES`. */
function fieldKey(name: string): string {
  return name.replaceAll(/[A-Z]/g, '_$&').toUpperCase();
}

/** Names of fields and their values in words; what no catalogue knows stands as it was recorded. */
export function useValueWords() {
  const { t } = useTranslation();
  const formats = useFormats();

  function word(name: string, value: string): string {
    if (value === '') return t('AUDIT.VALUES.EMPTY');
    const key = catalogueKey(value);
    if (!/^[A-Z][A-Z0-9_]*$/.test(key)) return value;
    if (name === 'roles') return t(`ROLES.${key}.LABEL`, { defaultValue: value });
    if (name === 'rights' || name === 'right') return t(`RIGHTS.${key}.LABEL`, { defaultValue: value });
    if (name === 'status') return t(`REPORT_STATUS.${key}`, { defaultValue: value });
    return t(`AUDIT.VALUES.${fieldKey(name)}_${key}`, { defaultValue: value });
  }

  function value(name: string, of: unknown): string {
    if (of === null || of === undefined) return t('AUDIT.VALUES.NOTHING');
    if (of === true) return t('AUDIT.VALUES.YES');
    if (of === false) return t('AUDIT.VALUES.NO');
    if (typeof of === 'string') return word(name, of);
    if (typeof of === 'number') return isMoment(name, of) ? formats.exact(of) : formats.number(of);
    if (Array.isArray(of) && of.length > 0 && of.every(isPlain))
      return formats.list(of.map((item) => value(name, item)));
    return JSON.stringify(of, null, 2);
  }

  /** What a path such as `rules 0 force` is called. */
  function place(path: readonly string[]): string {
    return path.map(placeName).join(' › ');
  }

  function placeName(name: string): string {
    if (/^\d+$/.test(name)) return formats.number(Number(name) + 1);
    if (!/^[a-z][A-Za-z]*$/.test(name)) return name;
    return t(`AUDIT.FIELDS.${fieldKey(name)}`, { defaultValue: name });
  }

  return { value, place };
}

/** Whether a value is shown as it stands in JSON. */
export function isRaw(value: unknown): boolean {
  return isObject(value) || (Array.isArray(value) && (value.length === 0 || !value.every(isPlain)));
}

/** Times are kept as milliseconds, under names that say so. */
function isMoment(name: string, value: number): boolean {
  return /(At|End|since)$/.test(name) && value > 0 && value <= 8_640_000_000_000_000;
}

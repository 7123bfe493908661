import type { CatalogueRight, RoleDefinition } from '#features/permissions/contract/administration.ts';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useCan, useFormats } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import type { Formats } from '#web/platform/i18n/formats.ts';
import { erasedCode, namedActor } from '#web/platform/named-person.ts';
import { catalogueQuery, rolesQuery } from '#web/platform/rights-words.ts';
import { isObject, isPlain } from './difference.ts';

/** `leadMinutes` as the catalogues write it: `LEAD_MINUTES`. */
function fieldKey(name: string): string {
  return name.replaceAll(/[A-Z]/g, '_$&').toUpperCase();
}

/** The present names of the operators' own roles and rights, by key. */
export type OwnNames = {
  readonly roles: ReadonlyMap<string, string>;
  readonly rights: ReadonlyMap<string, string>;
};

/** Turns recorded values into words. */
export type ValueWords = ReturnType<typeof valueWordsOf>;

/** Names of fields and their values in words; what has no text is shown as recorded. */
export function useValueWords(): ValueWords {
  const { t } = useTranslation();
  const formats = useFormats();
  // People who may read only the audit see the keys.
  const asked = { enabled: useCan()('PEOPLE_READ') };
  const roles = useQuery({ ...rolesQuery, ...asked, select: namesOfRoles }).data;
  const rights = useQuery({ ...catalogueQuery, ...asked, select: labelsOfRights }).data;
  return valueWordsOf(t, formats, { roles: roles ?? none, rights: rights ?? none });
}

const none: ReadonlyMap<string, string> = new Map();

function namesOfRoles({ roles }: { roles: readonly RoleDefinition[] }): ReadonlyMap<string, string> {
  return new Map(roles.filter(({ builtIn }) => !builtIn).map(({ role, name }) => [role, name]));
}

function labelsOfRights({ rights }: { rights: readonly CatalogueRight[] }): ReadonlyMap<string, string> {
  return new Map(rights.filter(({ builtIn }) => !builtIn).map(({ right, label }) => [right, label]));
}

/** Makes the functions of `useValueWords` from given parts. */
export function valueWordsOf(t: TFunction, formats: Formats, own: OwnNames) {
  function word(name: string, value: string): string {
    if (value === '') return t('AUDIT.VALUES.EMPTY');
    if (erasedCode(value) !== null) return namedActor(t, value);
    const label = ownLabel(name, value);
    // The key adds nothing where it is the name itself.
    if (label?.toLowerCase().replaceAll(' ', '-') === value) return label;
    if (label !== undefined) return t('AUDIT.SUBJECTS.WITH_KEY', { name: label, key: value });
    const key = catalogueKey(value);
    if (!/^[A-Z][A-Z0-9_]*$/.test(key)) return value;
    if (name === 'roles') return t(`ROLES.${key}.LABEL`, { defaultValue: value });
    if (name === 'rights' || name === 'right') return t(`RIGHTS.${key}.LABEL`, { defaultValue: value });
    if (name === 'status')
      return t([`REPORT_STATUS.${key}`, `AUDIT.VALUES.STATUS_${key}`], { defaultValue: value });
    return t(`AUDIT.VALUES.${fieldKey(name)}_${key}`, { defaultValue: value });
  }

  function ownLabel(name: string, key: string): string | undefined {
    if (name === 'roles') return own.roles.get(key);
    return name === 'rights' || name === 'right' ? own.rights.get(key) : undefined;
  }

  function value(name: string, of: unknown): string {
    if (of === null || of === undefined) return t('AUDIT.VALUES.NOTHING');
    if (of === true) return t('AUDIT.VALUES.YES');
    if (of === false) return t('AUDIT.VALUES.NO');
    if (typeof of === 'string') return word(name, of);
    if (typeof of === 'number') return isTime(name, of) ? formats.exact(of) : formats.number(of);
    if (Array.isArray(of) && of.length > 0 && of.every(isPlain))
      return formats.list(of.map((item) => value(name, item)));
    return JSON.stringify(of, null, 2);
  }

  /** The name of a path such as `rules 0 force`. */
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

/** Whether a value is shown as JSON. */
export function isRaw(value: unknown): boolean {
  return isObject(value) || (Array.isArray(value) && (value.length === 0 || !value.every(isPlain)));
}

/** Times are stored as milliseconds, in fields whose names have these endings. */
function isTime(name: string, value: number): boolean {
  return /(At|End|since)$/.test(name) && value > 0 && value <= 8_640_000_000_000_000;
}

import { role as builtInRole } from '#features/permissions/contract/permissions.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCan } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { languages } from '#web/platform/i18n/language.ts';
import { rolesQuery } from '#web/platform/rights-words.ts';
import { knownZones } from '#web/platform/time/time-zones.ts';
import type { Option } from '#web/ui/option-list.tsx';
import { parseJson } from './flag-form.ts';
import { seenAttributesQuery } from './flags-query.ts';

/**
 * The attributes that Portico knows about each person (FLAG-3), and those that its own pages send, by name.
 * Applications may send others.
 */
export const knownAttributes: Record<string, 'text' | 'list' | 'number'> = {
  id: 'text',
  email: 'text',
  emailDomain: 'text',
  roles: 'list',
  groups: 'list',
  locale: 'text',
  timeZone: 'text',
  createdAt: 'number',
  url: 'text',
  release: 'text',
};

/** Attributes with a different value for each person, so people can be distributed by them. */
export const distributing = ['id', 'email'];

/**
 * Converts attributes that were typed in a form to the values to send: numbers, true and false as such, and a text
 * separated by commas to a list if the attribute is a list.
 */
export function attributesIn(rows: readonly { name: string; value: string }[]): Record<string, unknown> {
  const named = rows.filter(({ name }) => name.trim() !== '');
  return Object.fromEntries(named.map(({ name, value }) => [name.trim(), readAttribute(name.trim(), value)]));
}

function readAttribute(name: string, value: string): unknown {
  const known = knownAttributes[name];
  if (known === 'text') return value;
  if (known === 'list' && !value.trim().startsWith('['))
    return value
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
  const read = parseJson(value);
  return read === undefined ? value : read;
}

/** The text of an attribute's value, in the form in which a person types it. */
export function attributeText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ');
  return JSON.stringify(value) ?? '';
}

/** The attributes to suggest, each with the number of values that were seen. */
export function useAttributeOptions(): readonly Option[] {
  const { t } = useTranslation();
  const seen = useQuery(seenAttributesQuery).data?.attributes ?? [];
  const names = new Set([...Object.keys(knownAttributes), ...seen.map(({ name }) => name)]);
  return [...names].map((name) => {
    const count = seen.find((one) => one.name === name)?.values.length ?? 0;
    return {
      key: name,
      label: name,
      ...(count === 0 ? {} : { hint: t('FLAGS.RULE.VALUES_SEEN', { count }) }),
    };
  });
}

/** The type of an attribute's values, which decides the input for them; null if the type is unknown. */
export function useValueType(attribute: string): 'string' | 'number' | 'boolean' | null {
  const seen = useQuery(seenAttributesQuery).data?.attributes;
  const kind = Object.hasOwn(knownAttributes, attribute)
    ? knownAttributes[attribute]
    : seen?.find(({ name }) => name === attribute)?.kind;
  if (kind === undefined) return null;
  return kind === 'number' || kind === 'boolean' ? kind : 'string';
}

/** The values to suggest for an attribute: values that Portico knows, and values that were seen. */
export function useKnownValues(attribute: string): readonly Option[] {
  const { t } = useTranslation();
  // Custom roles are loaded only for operators who may see people.
  const enabled = useCan()('PEOPLE_READ') && attribute === 'roles';
  const seen = useQuery(seenAttributesQuery).data?.attributes;
  const roles = useQuery({ ...rolesQuery, enabled });
  if (attribute === 'roles')
    return [
      ...builtInRole.options.map((role) => ({
        key: role,
        label: role,
        hint: t(`ROLES.${catalogueKey(role)}.LABEL`),
      })),
      ...(roles.data?.roles ?? [])
        .filter(({ builtIn }) => !builtIn)
        .map(({ role, name }) => ({ key: role, label: role, hint: name })),
    ];
  if (attribute === 'locale')
    return languages.map(({ language, label }) => ({ key: language, label: language, hint: label }));
  const values = seen?.find(({ name }) => name === attribute)?.values ?? [];
  const options = values.map(({ value }) => ({ key: String(value), label: String(value) }));
  if (attribute !== 'timeZone') return options;
  const zones = knownZones([]).filter((zone) => !options.some(({ key }) => key === zone));
  return [...options, ...zones.map((zone) => ({ key: zone, label: zone }))];
}

import { role as builtInRole } from '#features/permissions/contract/permissions.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCan } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { languages } from '#web/platform/i18n/language.ts';
import { rolesQuery } from '#web/platform/rights-words.ts';
import { knownZones } from '#web/platform/time/time-zones.ts';
import type { Option } from '#web/ui/option-list.tsx';
import { seenAttributesQuery } from './flags-query.ts';
import { knownAttributes } from './known-attributes.ts';

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

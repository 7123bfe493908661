import { role as builtInRole } from '#features/permissions/contract/permissions.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi, useCan } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { languages } from '#web/platform/i18n/language.ts';
import { rolesQuery } from '#web/platform/rights-words.ts';
import { knownZones } from '#web/platform/time/time-zones.ts';
import type { Option } from '#web/ui/option-list.tsx';

/** What is suggested as a value of an attribute; nothing where only the application knows. */
export function useKnownValues(attribute: string): readonly Option[] {
  const { t } = useTranslation();
  // Own roles are for those who may see people.
  const enabled = useCan()('PEOPLE_READ') && attribute === 'roles';
  const roles = useQuery({ ...rolesQuery(useApi()), enabled });
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
  return attribute === 'timeZone' ? knownZones([]).map((zone) => ({ key: zone, label: zone })) : [];
}

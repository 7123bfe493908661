import type { RightSource, WhyRight } from '#features/permissions/contract/administration.ts';
import type { TFunction } from 'i18next';
import type { Formats } from '#web/platform/i18n/formats.ts';
import { isolated } from '#web/platform/i18n/isolated.ts';
import { namedActor } from '#web/platform/named-person.ts';
import type { RightsWords } from '#web/platform/rights-words.ts';

export type Words = { t: TFunction; formats: Formats; names: RightsWords };

/** Where a right comes from, in a sentence (RIGHT-4). */
export function sourceWords({ t, formats, names }: Words, source: RightSource): string {
  switch (source.kind) {
    case 'role': {
      const role = names.role(source.role);
      const { givenAt, givenBy: who } = source;
      return givenAt === null || who === null
        ? t('PEOPLE.WHY.ROLE', { role })
        : t('PEOPLE.WHY.ROLE_BY', { role, who: namedActor(t, who), when: formats.date(givenAt) });
    }
    case 'group':
      return t('PEOPLE.WHY.GROUP', { group: isolated(source.group.name), role: names.role(source.role) });
    case 'grant':
      return ownWords({ t, formats, names }, 'GRANT', source);
  }
}

type Own = { expiresAt: number | null; reason: string; givenBy: string | null };

/** A grant or a denial, in a sentence: by whom, until when, why. */
export function ownWords({ t, formats }: Words, effect: 'GRANT' | 'DENIAL', own: Own): string {
  const who = namedActor(t, own.givenBy ?? '');
  const sentence =
    own.expiresAt === null
      ? t(`PEOPLE.WHY.${effect}`, { who })
      : t(`PEOPLE.WHY.${effect}_UNTIL`, { who, until: formats.dateTime(own.expiresAt) });
  return own.reason === '' ? sentence : `${sentence} ${t('PEOPLE.WHY.REASON', { reason: own.reason })}`;
}

/** What would give a right that a person does not hold. */
export function missingWords({ t, formats, names }: Words, why: WhyRight): string {
  const roles = why.ways.roles.map((role) => names.role(role));
  const groups = why.ways.groups.map(({ name }) => `“${isolated(name)}”`);
  if (roles.length === 0) return t('PEOPLE.WHY.ONLY_GRANT');
  const byRole = t('PEOPLE.WHY.WOULD_GIVE', { count: roles.length, roles: formats.list(roles) });
  return groups.length === 0
    ? byRole
    : `${byRole} ${t('PEOPLE.WHY.WOULD_GIVE_GROUP', { groups: formats.list([...new Set(groups)]) })}`;
}

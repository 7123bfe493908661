import type { Person, PersonState } from '#features/people/contract/people.ts';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Tag, type TagKind } from '#web/ui/tag.tsx';

const kinds: Record<PersonState, TagKind> = { invited: 'info', active: 'ok', blocked: 'high' };

export function PersonStateTag({ state }: { state: PersonState }) {
  const { t } = useTranslation();
  return <Tag kind={kinds[state]}>{t(`PEOPLE.STATES.${catalogueKey(state)}`)}</Tag>;
}

/** The roles of a person: those that they were given, then those that they have by a group. */
export function RoleTags({ roles, groupRoles }: Pick<Person, 'roles' | 'groupRoles'>) {
  const { t } = useTranslation();
  const words = useRightsWords();
  if (roles.length + groupRoles.length === 0) return <span className="muted">{t('PEOPLE.NO_ROLES')}</span>;
  return (
    <span className="tags">
      {roles.map((role) => (
        <Tag key={role}>{words.role(role)}</Tag>
      ))}
      {groupRoles.map((role) => (
        <Tag key={role} icon="people">
          {t('PEOPLE.BY_GROUP', { role: words.role(role) })}
        </Tag>
      ))}
    </span>
  );
}

/** The roles of a person as one line of text, for lists, where pills mark only what is not usual. */
export function RoleNames({ roles, groupRoles }: Pick<Person, 'roles' | 'groupRoles'>) {
  const { t } = useTranslation();
  const words = useRightsWords();
  if (roles.length + groupRoles.length === 0) return <span className="muted">{t('PEOPLE.NO_ROLES')}</span>;
  return [
    ...roles.map((role) => words.role(role)),
    ...groupRoles.map((role) => t('PEOPLE.BY_GROUP', { role: words.role(role) })),
  ].join(', ');
}

type Doubt = NonNullable<Person['emailDoubt']>;

/** Why an address may be misleading, in a few words. */
export function emailDoubtWord(t: TFunction, doubt: Doubt): string {
  return t(doubt.lookAlikes.length > 0 ? 'PEOPLE.DOUBT.LOOK_ALIKE' : 'PEOPLE.DOUBT.MIXED');
}

/** Why an address may be misleading, in a sentence, with the addresses that look the same. */
export function EmailDoubt({ person }: { person: Person }) {
  const { t } = useTranslation();
  const { emailDoubt: doubt } = person;
  if (doubt === null) return null;
  return (
    <Notice severity="medium" title={emailDoubtWord(t, doubt)}>
      {doubt.mixedScripts ? t('PEOPLE.DOUBT.MIXED_TEXT') : null}
      {doubt.lookAlikes.length === 0 ? null : (
        <>
          {' '}
          {t('PEOPLE.DOUBT.LOOK_ALIKE_TEXT')}{' '}
          {doubt.lookAlikes.map(({ id, email }) => (
            <span className="person-email breaks" key={id}>
              {email}{' '}
            </span>
          ))}
        </>
      )}
    </Notice>
  );
}

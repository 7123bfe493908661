import type { PersonState } from '@portico/contract/people';
import type { Role } from '@portico/contract/permissions';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '../../platform/i18n/catalogue-key.ts';
import { Tag, type TagKind } from '../../ui/tag.tsx';

const kinds: Record<PersonState, TagKind> = { invited: 'info', active: 'ok', blocked: 'high' };

export function PersonStateTag({ state }: { state: PersonState }) {
  const { t } = useTranslation();
  return <Tag kind={kinds[state]}>{t(`PEOPLE.STATES.${catalogueKey(state)}`)}</Tag>;
}

export function RoleTags({ roles }: { roles: readonly Role[] }) {
  const { t } = useTranslation();
  if (roles.length === 0) return <span className="muted">{t('PEOPLE.NO_ROLES')}</span>;
  return (
    <span className="tags">
      {roles.map((role) => (
        <Tag key={role}>{t(`ROLES.${catalogueKey(role)}.LABEL`)}</Tag>
      ))}
    </span>
  );
}

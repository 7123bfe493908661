import type { PersonState } from '@portico/contract/people';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '../../platform/i18n/catalogue-key.ts';
import { useRightsWords } from '../../platform/rights-words.ts';
import { Tag, type TagKind } from '../../ui/tag.tsx';

const kinds: Record<PersonState, TagKind> = { invited: 'info', active: 'ok', blocked: 'high' };

export function PersonStateTag({ state }: { state: PersonState }) {
  const { t } = useTranslation();
  return <Tag kind={kinds[state]}>{t(`PEOPLE.STATES.${catalogueKey(state)}`)}</Tag>;
}

export function RoleTags({ roles }: { roles: readonly string[] }) {
  const { t } = useTranslation();
  const words = useRightsWords();
  if (roles.length === 0) return <span className="muted">{t('PEOPLE.NO_ROLES')}</span>;
  return (
    <span className="tags">
      {roles.map((role) => (
        <Tag key={role}>{words.role(role)}</Tag>
      ))}
    </span>
  );
}

import type { ApiToken } from '#features/api-tokens/contract/api-tokens.ts';
import type { PeopleNames } from '#features/people/contract/names.ts';
import { useTranslation } from 'react-i18next';
import { namedActor } from '#web/platform/named-person.ts';

/** The creator of a token. */
export function CreatedBy({
  token: { createdBy },
  names,
}: {
  token: Pick<ApiToken, 'createdBy'>;
  names: PeopleNames;
}) {
  const { t } = useTranslation();
  if (createdBy.kind === 'command-line') return <>{t('API_TOKENS.BY_COMMAND_LINE')}</>;
  return (
    <span className="token-name">
      {createdBy.kind === 'token'
        ? t('API_TOKENS.BY_TOKEN', { name: createdBy.name })
        : namedActor(t, createdBy.name, names)}
    </span>
  );
}

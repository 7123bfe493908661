import type { ApiToken } from '@portico/contract/api-tokens';
import { useTranslation } from 'react-i18next';

/** Who created a token, in words. */
export function CreatedBy({ token: { createdBy } }: { token: Pick<ApiToken, 'createdBy'> }) {
  const { t } = useTranslation();
  if (createdBy.kind === 'command-line') return <>{t('API_TOKENS.BY_COMMAND_LINE')}</>;
  return (
    <span className="token-name">
      {createdBy.kind === 'token' ? t('API_TOKENS.BY_TOKEN', { name: createdBy.name }) : createdBy.name}
    </span>
  );
}

import type { ApiTokenState } from '#features/api-tokens/contract/api-tokens.ts';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { Tag, type TagKind } from '#web/ui/tag.tsx';

const kinds: Record<ApiTokenState, TagKind> = {
  active: 'ok',
  suspended: 'medium',
  expired: 'plain',
  revoked: 'plain',
};

export function TokenTag({ state }: { state: ApiTokenState }) {
  const { t } = useTranslation();
  return <Tag kind={kinds[state]}>{t(`API_TOKENS.STATES.${catalogueKey(state)}`)}</Tag>;
}

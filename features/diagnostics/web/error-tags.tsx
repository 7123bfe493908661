import type { ErrorGroup } from '#features/diagnostics/contract/diagnostics.ts';
import { useTranslation } from 'react-i18next';
import { Tag } from '#web/ui/tag.tsx';

/** How long an error counts as new, milliseconds. */
const newFor = 86_400_000;

type ErrorTagsProps = { error: ErrorGroup; now: number };

/** What is noteworthy about an error, in a word: it came back, or it is new. */
export function ErrorTags({ error, now }: ErrorTagsProps) {
  const { t } = useTranslation();
  if (error.returnedAt !== null)
    return (
      <Tag kind="high" icon="refresh">
        {t('DIAGNOSTICS.RETURNED')}
      </Tag>
    );
  if (error.status === 'open' && now - error.firstSeenAt < newFor)
    return (
      <Tag kind="info" icon="plus">
        {t('DIAGNOSTICS.NEW')}
      </Tag>
    );
  return null;
}

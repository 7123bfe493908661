import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/**
 * Shows in a form that its content was typed before the page was loaded and is not saved; null: shows
 * nothing.
 */
export function RestoredWork({ onDiscard }: { onDiscard: (() => void) | null }) {
  const { t } = useTranslation();
  if (onDiscard === null) return null;
  return (
    <Notice severity="info" role="status">
      <span className="notice-line row wrap between">
        {t('COMMON.RESTORED.TEXT')}
        <Button small tone="quiet" onClick={onDiscard}>
          {t('COMMON.RESTORED.DISCARD')}
        </Button>
      </span>
    </Notice>
  );
}

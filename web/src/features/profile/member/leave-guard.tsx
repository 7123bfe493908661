import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../platform/i18n/formats-context.tsx';
import { useUnsavedWork } from '../../../platform/unsaved-work.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';

/**
 * Asks before unsaved changes are lost: in a dialog of ours where another screen is opened, in the browser's own where the
 * page is left.
 *
 * @param changed the labels of the fields; none: nothing is asked
 * @param onLeave the person goes and gives the changes up
 */
export function LeaveGuard({ changed, onLeave }: { changed: readonly string[]; onLeave: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const unsaved = changed.length > 0;
  useUnsavedWork(unsaved);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => unsaved && current.pathname !== next.pathname,
    enableBeforeUnload: false,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      title={t('PROFILE.LEAVING.TITLE')}
      confirmLabel={t('PROFILE.LEAVING.LEAVE')}
      cancelLabel={t('PROFILE.LEAVING.STAY')}
      closeLabel={t('COMMON.CLOSE')}
      tone="danger"
      onConfirm={() => {
        onLeave();
        blocker.proceed?.();
      }}
      onCancel={() => blocker.reset?.()}
    >
      {t('PROFILE.LEAVING.CONTENT', { fields: formats.list(changed) })}
    </ConfirmDialog>
  );
}

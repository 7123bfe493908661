import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { ConnectedPeople } from '../connected-people.tsx';
import { type AtOnce, isStricter } from './at-once.ts';
import type { WindowDraft } from './plan-form.ts';

type AtOnceDialogProps = {
  /** Before the change; null: a new one. */
  window: MaintenanceWindow | null;
  draft: WindowDraft;
  what: AtOnce;
  busy: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks before a change that takes effect at once is saved, with how many people it concerns now. */
export function AtOnceDialog({ window, draft, what, busy, onConfirm, onCancel }: AtOnceDialogProps) {
  const { t } = useTranslation();
  const mode = catalogueKey(draft.mode);
  const stricter = isStricter(draft.mode, what === 'mode' ? (window?.mode ?? null) : null);
  return (
    <ConfirmDialog
      open
      title={t(`MAINTENANCE.CONSOLE.AT_ONCE.${catalogueKey(what)}`, {
        title: window?.title ?? draft.title,
        mode: t(`MAINTENANCE.CONSOLE.WINDOW_MODES.${mode}.LABEL`),
      })}
      confirmLabel={t(window === null ? 'MAINTENANCE.CONSOLE.PLAN.ACTION' : 'MAINTENANCE.CONSOLE.PLAN.SAVE')}
      cancelLabel={t('COMMON.CANCEL')}
      closeLabel={t('COMMON.CLOSE')}
      tone={what !== 'ends' && stricter ? 'danger' : 'primary'}
      busy={busy}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <div className="fields">
        <p>
          <ConnectedPeople />
        </p>
        <p>
          {t(
            what === 'ends'
              ? `MAINTENANCE.CONSOLE.STEPS.END.EFFECTS.${mode}`
              : `MAINTENANCE.CONSOLE.AT_ONCE.EFFECTS.${mode}`,
          )}
        </p>
      </div>
    </ConfirmDialog>
  );
}

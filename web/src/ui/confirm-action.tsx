import { type ComponentProps, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { notify } from './notifications/notifications.ts';

type ConfirmActionProps<Result> = Pick<
  ComponentProps<typeof ConfirmDialog>,
  'title' | 'children' | 'confirmLabel' | 'tone' | 'hold'
> & {
  cancelLabel?: string;
  /** The action. The dialog is busy until it has settled, and cannot be closed until then. */
  action: () => Promise<Result>;
  /** The text for an error of `action`. */
  problem: (error: unknown) => string | undefined;
  /** Runs once it is done; closes the dialog. Left out: `onCancel`. */
  onDone?: (result: Result) => void;
  /** The title of the notification that follows; left out: `onDone` notifies. */
  done?: string;
  onCancel: () => void;
};

/** Asks for confirmation; then runs the action, and shows why it failed. */
export function ConfirmAction<Result>({
  cancelLabel,
  action,
  problem,
  done,
  onCancel,
  onDone = onCancel,
  ...question
}: ConfirmActionProps<Result>) {
  const { t } = useTranslation();
  const [state, setState] = useState<{ busy: boolean; error: string | null }>({ busy: false, error: null });

  async function run(): Promise<void> {
    setState({ busy: true, error: null });
    try {
      const result = await action();
      onDone(result);
      if (done !== undefined) notify({ kind: 'success', title: done });
    } catch (error) {
      setState({ busy: false, error: problem(error) ?? null });
    }
  }

  return (
    <ConfirmDialog
      {...question}
      cancelLabel={cancelLabel ?? t('COMMON.CANCEL')}
      {...state}
      onConfirm={() => void run()}
      onCancel={onCancel}
    />
  );
}

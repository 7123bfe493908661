import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/confirm-action.tsx';

/** A navigation that waits for an answer: `sentences` say what it would lose, `leave` continues it. */
export type Leave = { readonly sentences: readonly string[]; readonly leave: () => void };

/** Asks whether unsaved work may be discarded. */
export function LeaveQuestion({ asked, onAnswer }: { asked: Leave | null; onAnswer: () => void }) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      open={asked !== null}
      title={t('COMMON.LEAVING.TITLE')}
      confirmLabel={t('COMMON.LEAVING.LEAVE')}
      cancelLabel={t('COMMON.LEAVING.STAY')}
      tone="danger"
      onConfirm={() => {
        onAnswer();
        asked?.leave();
      }}
      onCancel={onAnswer}
    >
      {asked === null || asked.sentences.length === 0
        ? t('COMMON.LEAVING.CONTENT')
        : asked.sentences.join(' ')}
    </ConfirmDialog>
  );
}

import type { ProposedChange } from '#features/permissions/contract/administration.ts';
import { useTranslation } from 'react-i18next';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { spoken } from '#web/platform/i18n/isolated.ts';
import { rightsKey } from '#web/platform/rights-words.ts';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { removalWords } from './problem-words.ts';
import { AffectedPeople, usePreview } from './affected-people.tsx';
import { useRemoval } from '#web/platform/lists/list-state.ts';

type RemoveDialogProps = {
  /** The name of what is removed. */
  name: string;
  /** The effect, next to the people concerned. */
  effect: string;
  change: ProposedChange;
  remove: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks before a right, a role or a mapping is removed, and lists whom that concerns. */
export function RemoveDialog({ name, effect, change, remove, onClose }: RemoveDialogProps) {
  const { t } = useTranslation();
  const preview = usePreview(change);
  return (
    <ConfirmAction
      title={t('ROLES_AND_RIGHTS.REMOVE_QUESTION', { name: spoken(name) })}
      confirmLabel={t('ROLES_AND_RIGHTS.REMOVE')}
      {...useRemoval(rightsKey, onClose)}
      action={remove}
      problem={(error) => problemsOf(t, error, removalWords).general}
      done={t('ROLES_AND_RIGHTS.REMOVED', { name: spoken(name) })}
    >
      <p>{effect}</p>
      <AffectedPeople {...preview} />
    </ConfirmAction>
  );
}

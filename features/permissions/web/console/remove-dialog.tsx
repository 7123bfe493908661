import type { ProposedChange } from '#features/permissions/contract/administration.ts';
import { useTranslation } from 'react-i18next';
import { ConfirmRemoval } from '#web/app/confirm-removal.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { rightsKey } from '#web/platform/rights-words.ts';
import { removalWords } from './problem-words.ts';
import { AffectedPeople, usePreview } from './affected-people.tsx';

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
    <ConfirmRemoval
      name={name}
      list={rightsKey}
      remove={remove}
      problem={(error) => problemsOf(t, error, removalWords).general}
      onClose={onClose}
    >
      <p>{effect}</p>
      <AffectedPeople {...preview} />
    </ConfirmRemoval>
  );
}

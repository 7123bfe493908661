import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { spoken } from '../platform/i18n/isolated.ts';
import { useRemoval } from '../platform/lists/list-state.ts';
import { ConfirmAction } from '../ui/confirm-action.tsx';

type ConfirmRemovalProps = {
  name: string;
  /** The queries that show the thing; they are loaded again after the removal. */
  list: QueryKey;
  remove: () => Promise<unknown>;
  /** Returns the text for an error of `remove`; left out: the text of the problem. */
  problem?: (error: unknown) => string | undefined;
  onClose: () => void;
  /** Called after the removal; left out: `onClose`. */
  onRemoved?: (() => void) | undefined;
  /** Says what the removal does. */
  children: ReactNode;
};

/** Asks before a thing with a name is removed. */
export function ConfirmRemoval({ name, list, remove, onClose, onRemoved, ...rest }: ConfirmRemovalProps) {
  const { t } = useTranslation();
  return (
    <ConfirmAction
      title={t('EDITING.REMOVE_QUESTION', { name: spoken(name) })}
      confirmLabel={t('EDITING.REMOVE')}
      {...useRemoval(list, onClose, onRemoved)}
      action={remove}
      done={t('EDITING.REMOVED', { name: spoken(name) })}
      {...rest}
    />
  );
}

import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { problemText } from '../calls/problem-text.ts';

/** For a `ConfirmAction` that asks before a removal: afterwards it closes, and the queries below `list` load again. */
export function useRemoval(list: QueryKey, onClose: () => void, onRemoved = onClose) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return {
    tone: 'danger' as const,
    problem: (error: unknown) => problemText(t, error),
    onDone: () => {
      onRemoved();
      void queries.invalidateQueries({ queryKey: list });
    },
    onCancel: onClose,
  };
}

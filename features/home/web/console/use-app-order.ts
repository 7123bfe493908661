import { type listApps, type ManagedApp, orderApps } from '#features/home/contract/apps.ts';
import type { AnswerOf } from '#contract/route.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { appsKey } from './apps-query.ts';

/** Moves an application to another place, shows that at once, and saves it. */
export function useAppOrder(apps: readonly ManagedApp[], version: number) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const saving = useMutation({
    mutationFn: (keys: string[]) => api.call(orderApps, { body: { keys, version } }),
    onSuccess: ({ orderVersion }) =>
      queries.setQueryData<AnswerOf<typeof listApps>>(
        appsKey,
        (known) => known && { ...known, orderVersion },
      ),
    onError: (error) => notify({ kind: 'error', title: problemText(t, error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: appsKey }),
  });
  /** Whether it was moved. */
  return (from: number, to: number): boolean => {
    const moved = apps[from];
    if (moved === undefined || to < 0 || to >= apps.length || to === from || saving.isPending) return false;
    const others = apps.filter((app) => app !== moved);
    const next = [...others.slice(0, to), moved, ...others.slice(to)];
    queries.setQueryData<AnswerOf<typeof listApps>>(appsKey, (known) => known && { ...known, apps: next });
    saving.mutate(next.map(({ key }) => key));
    return true;
  };
}

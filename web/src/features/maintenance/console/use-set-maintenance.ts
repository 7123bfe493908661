import { setMaintenance, type MaintenanceSettings } from '@portico/contract/maintenance';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../platform/contexts.tsx';
import { isProblem } from '../../../platform/problem-error.ts';
import { maintenanceQuery } from './maintenance-query.ts';

/** Keeps the switch and the notice; after a conflict the latest is loaded, so that the next try is against it. */
export function useSetMaintenance() {
  const api = useApi();
  const queries = useQueryClient();
  const { queryKey } = maintenanceQuery(api);
  return useMutation({
    mutationFn: ({ mode, text, severity, expectedEnd, version }: MaintenanceSettings) =>
      api.call(setMaintenance, { body: { mode, text, severity, expectedEnd, version } }),
    onSuccess: (saved) => queries.setQueryData(queryKey, saved),
    async onError(error) {
      if (isProblem(error, 'VERSION_CONFLICT', 'CONFLICT')) await queries.invalidateQueries({ queryKey });
    },
  });
}

import { setMaintenance, type MaintenanceSettings } from '@portico/contract/maintenance/settings';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../../platform/contexts.tsx';
import { maintenanceKey } from '../maintenance-key.ts';
import { maintenanceQuery } from '../maintenance-queries.ts';

/**
 * Saves the switch and the notice; afterwards, also after a conflict, everything is reloaded.
 *
 * @param onDone is called even where the maintenance page has covered the screen meanwhile
 */
export function useSetMaintenance(onDone: (saved: MaintenanceSettings) => void = () => {}) {
  const api = useApi();
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: maintenanceKey });
  return useMutation({
    mutationFn: ({ mode, text, severity, expectedEnd, version }: MaintenanceSettings) =>
      api.call(setMaintenance, { body: { mode, text, severity, expectedEnd, version } }),
    onSuccess(saved) {
      queries.setQueryData(maintenanceQuery(api).queryKey, saved);
      onDone(saved);
      void reload();
    },
    onError: reload,
  });
}

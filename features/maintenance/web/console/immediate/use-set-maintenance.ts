import { setMaintenance, type MaintenanceSettings } from '#features/maintenance/contract/settings.ts';
import type { BodyOf } from '#contract/route.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '#web/platform/contexts.tsx';
import { maintenanceKey } from '../maintenance-key.ts';
import { maintenanceQuery } from '../maintenance-queries.ts';
import { useStayInConsole } from '../stay-in-console.tsx';

/** What is sent of the switch and the notice. */
export type Setting = BodyOf<typeof setMaintenance>;

/** The switch and the notice as they are, to be sent with a change. */
export function settingOf({
  mode,
  text,
  texts,
  severity,
  expectedEnd,
  version,
}: MaintenanceSettings): Setting {
  return { mode, text, texts, severity, expectedEnd, version };
}

/** Sends the switch and the notice, and shows the answer before everything is reloaded. */
export function useSendSetting(): (setting: Setting) => Promise<MaintenanceSettings> {
  const api = useApi();
  const queries = useQueryClient();
  const staying = useStayInConsole();
  return async (setting) => {
    const saved = await staying(setting.mode === 'full', () => api.call(setMaintenance, { body: setting }));
    queries.setQueryData(maintenanceQuery(api).queryKey, saved);
    void queries.invalidateQueries({ queryKey: maintenanceKey });
    return saved;
  };
}

/**
 * Saves the switch and the notice without a form; afterwards, also after a conflict, everything is reloaded.
 */
export function useSetMaintenance() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: useSendSetting(),
    onError: () => queries.invalidateQueries({ queryKey: maintenanceKey }),
  });
}

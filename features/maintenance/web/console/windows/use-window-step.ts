import {
  cancelWindow,
  endWindow,
  extendWindow,
  type MaintenanceWindow,
  removeFinishedText,
  startWindow,
  warnOfWindow,
} from '#features/maintenance/contract/windows.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '#web/platform/contexts.tsx';
import { maintenanceKey } from '../maintenance-key.ts';
import { comingWindowsQuery } from '../maintenance-queries.ts';
import { useStayInConsole } from '../stay-in-console.tsx';

/** What an operator can do to a window besides editing it. */
export type Step = 'warn' | 'start' | 'extend' | 'end' | 'cancel' | 'remove-text';

type Doing = { step: Exclude<Step, 'extend'> } | { step: 'extend'; endsAt: number };

/**
 * Takes a step against the version that was read; afterwards, also after a refusal, everything is reloaded. The operator
 * who starts a window stays in the console.
 *
 * @param onDone is called even where the dialog is gone by then
 */
export function useWindowStep(
  window: Pick<MaintenanceWindow, 'id' | 'version' | 'mode'>,
  onDone: (window: MaintenanceWindow) => void = () => {},
) {
  const api = useApi();
  const queries = useQueryClient();
  const staying = useStayInConsole();
  const reload = () => queries.invalidateQueries({ queryKey: maintenanceKey });
  const params = { windowId: window.id };
  const body = { version: window.version };
  return useMutation({
    mutationFn(doing: Doing) {
      switch (doing.step) {
        case 'warn':
          return api.call(warnOfWindow, { params, body });
        case 'start':
          return staying(window.mode === 'full', () => api.call(startWindow, { params, body }));
        case 'extend':
          return api.call(extendWindow, { params, body: { ...body, endsAt: doing.endsAt } });
        case 'end':
          return api.call(endWindow, { params, body });
        case 'cancel':
          return api.call(cancelWindow, { params, body });
        case 'remove-text':
          return api.call(removeFinishedText, { params, body });
      }
    },
    onSuccess(answer) {
      // A next step before the reload is taken against this version.
      queries.setQueryData(comingWindowsQuery(api).queryKey, (windows) =>
        windows?.map((one) => (one.id === answer.id ? answer : one)),
      );
      onDone(answer);
      void reload();
    },
    onError: reload,
  });
}

import { changeWindow, type MaintenanceWindow, planWindow } from '#features/maintenance/contract/windows.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { maintenanceKey } from '../maintenance-key.ts';
import { useStayInConsole } from '../stay-in-console.tsx';
import { formOf, newForm, type WindowDraft } from './plan-form.ts';
import { planWork, readStoredForm, sameForm } from './stored-plan.ts';

type PlanOptions = {
  /** What is changed; null: a new one is planned. */
  window: MaintenanceWindow | null;
  /** All that are not over. */
  windows: readonly MaintenanceWindow[];
  now: number;
  /** It is over, or was cancelled. */
  gone: boolean;
  onDone: () => void;
  onRefused: () => void;
};

/** Saves a plan, and asks first if it takes the application offline at once. */
type Plan = { draft: WindowDraft; closes: boolean };

/** The form of a window, saved against the version that was opened. */
export function usePlan({ window, windows, now, gone, onDone, onRefused }: PlanOptions) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const staying = useStayInConsole();
  const { timeZone } = useFormats();
  const [fresh] = useState(() => newForm(now, timeZone, windows));
  return useVersionedForm({
    saved:
      window === null
        ? { values: fresh, version: 0 }
        : { values: formOf(window, timeZone), version: window.version },
    storedAs: planWork(window?.id ?? null),
    readStored: readStoredForm,
    same: sameForm,
    leaving: { ownEntry: true, counted: false },
    save: (_values, version, { draft, closes }: Plan, creation) =>
      staying(closes, () =>
        window === null
          ? api.call(planWindow, { body: draft }, creation)
          : api.call(changeWindow, { params: { windowId: window.id }, body: { ...draft, version } }),
      ),
    async onSaved({ title }) {
      await queries.invalidateQueries({ queryKey: maintenanceKey });
      notify({
        kind: 'success',
        title: t(window === null ? 'MAINTENANCE.CONSOLE.PLAN.DONE' : 'MAINTENANCE.CONSOLE.PLAN.CHANGED', {
          title,
        }),
      });
      onDone();
    },
    reload: maintenanceKey,
    gone,
    onRefused,
  });
}

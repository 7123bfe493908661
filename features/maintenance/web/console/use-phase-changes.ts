import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { maintenanceKey } from './maintenance-key.ts';
import { useServerNow } from './use-server-now.ts';
import { phaseAt } from './windows/phase-at.ts';

/** Reloads everything when a window enters another phase, since that changes what is in force. */
export function usePhaseChanges(windows: readonly MaintenanceWindow[]): void {
  const queries = useQueryClient();
  const now = useServerNow();
  const phases = windows.map((window) => `${window.id} ${phaseAt(window, now)}`).join();
  const before = useRef(phases);
  useEffect(() => {
    if (before.current === phases) return;
    before.current = phases;
    void queries.invalidateQueries({ queryKey: maintenanceKey });
  }, [phases, queries]);
}

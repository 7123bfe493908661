import type { MaintenanceMode } from '#features/maintenance/contract/maintenance.ts';

/**
 * The gate: `page`: the maintenance page covers the application (MAINT-3). `passed`: it would, but this
 * person has passed through (MAINT-4). `read-only`: everything can be looked at, changes are refused
 * (MAINT-6). `open`: nothing.
 */
export type GateView = 'page' | 'passed' | 'read-only' | 'open';

/**
 * @param through whether this tab has passed through
 * @param may whether the person may pass through, once their rights are known
 */
export function gateView(
  { on, mode }: { readonly on: boolean; readonly mode: MaintenanceMode },
  through: boolean,
  may: boolean,
  isKnown: boolean,
): GateView {
  // After a reload, a person who had passed through does not see the page while the rights are loading.
  if (on) return through && (may || !isKnown) ? 'passed' : 'page';
  return mode === 'read-only' ? 'read-only' : 'open';
}

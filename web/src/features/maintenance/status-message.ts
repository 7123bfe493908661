import { maintenanceMode, type MaintenanceStatus, severities } from '@portico/contract/maintenance';

export type KnownStatus = Pick<MaintenanceStatus, 'mode' | 'text' | 'severity' | 'expectedEnd'>;

/** The status as one tab has read it, for the others: those of the application and those on the page before it. */
export type StatusMessage = KnownStatus & {
  /** Whether the tab that tells also holds the flag stream, so that the others need not ask so often. */
  streaming: boolean;
};

export const statusTopic = 'maintenance';

export function readStatusMessage(data: Record<string, unknown>): StatusMessage | null {
  const { text, expectedEnd } = data;
  const mode = maintenanceMode.options.find((known) => known === data['mode']);
  const severity = severities.find((known) => known === data['severity']);
  if (mode === undefined || severity === undefined || typeof text !== 'string') return null;
  if (expectedEnd !== null && typeof expectedEnd !== 'number') return null;
  return { mode, severity, text, expectedEnd, streaming: data['streaming'] === true };
}

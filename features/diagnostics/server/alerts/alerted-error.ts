import { templateOf } from '../intake/template.ts';
import type { AlertedGroup } from './alerts.store.ts';

/** An error as an alert names it: without what its message has of one person or one call. */
export type AlertedError = {
  id: string;
  project: { id: number; name: string };
  kind: string;
  message: string;
  place: string;
  level: string;
  firstRelease: string | null;
  lastRelease: string | null;
  firstSeenAt: number;
  lastSeenAt: number;
  events: number;
  url: string;
};

const longestMessage = 300;

export function alertedError(row: AlertedGroup, publicUrl: string): AlertedError {
  return {
    id: row.id,
    project: { id: row.project_id, name: row.projectName },
    kind: row.kind,
    message: templateOf(row.message).slice(0, longestMessage),
    place: row.place,
    level: row.level,
    firstRelease: row.first_release,
    lastRelease: row.last_release,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    events: row.events,
    url: `${publicUrl}/diagnostics/${row.id}`,
  };
}

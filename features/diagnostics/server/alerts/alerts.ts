import { sql } from 'kysely';
import type { WebhookEvent } from '#features/webhooks/contract/webhooks.ts';
import type { Core } from '#server/core.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { createPeriodic } from '#server/platform/time/periodic.ts';
import { publishToWebhooks } from '#features/webhooks/server/publish.ts';
import { readSettings } from '../settings.store.ts';
import { templateOf } from '../intake/grouping.ts';
import * as store from './alerts.store.ts';

/** An error as an alert names it. Its message leaves out data of one person or one call. */
type AlertedError = {
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

const hourMs = 3_600_000;

/** Errors that one call of `errorsAboveRate` returns; the others follow with the next call. */
const most = 200;

/** What an alert reports: one error, or several together where many came at once. */
export type Alert = {
  errors: AlertedError[];
  /** How many more errors there are than `errors` names. */
  more: number;
  /** For the kind `rate` alone: this many events within this many minutes raise an alert. */
  rate?: { events: number; minutes: number } | undefined;
};

/** Sends an alert to the addresses of the settings, in the transaction that raised it. */
export type SendAlertMail = (
  change: Change,
  kind: store.AlertKind,
  alert: Alert,
  addresses: readonly string[],
) => Promise<void>;

/** This many alerts are sent one by one within this time; further alerts wait and are reported together. */
const alone = { alerts: 5, withinMs: 10 * 60_000 };
const waitMs = 5 * 60_000;
/** Errors that one message names. */
const named = 20;
const everyMs = 30_000;

const events: Record<store.AlertKind, WebhookEvent> = {
  new: 'diagnostics.error-new',
  returned: 'diagnostics.error-returned',
  rate: 'diagnostics.error-rate',
};

/**
 * Alerts about errors, by webhook and mail (DIAG-2). New and returned errors raise alerts in the transaction that
 * writes their events; rates are checked every half minute. An error raises the same alert at most once an hour.
 */
export function createAlerts({ database, clock, config, logger, sweeping }: Core, sendMail: SendAlertMail) {
  async function raiseAll(change: Change, kind: store.AlertKind, groupIds: readonly string[]): Promise<void> {
    const raised = await store.raise(change, kind, groupIds);
    if (raised.length === 0) return;
    const room = alone.alerts - (await store.sentSince(change.tx, change.at - alone.withinMs));
    const now = raised.slice(0, Math.max(0, room));
    await store.markSent(change, kind, now);
    for (const group of await store.alertedGroups(change.tx, now)) await send(change, kind, [group], 0);
  }

  async function send(
    change: Change,
    kind: store.AlertKind,
    groups: readonly store.AlertedGroup[],
    more: number,
  ): Promise<void> {
    const { alertEvents, alertMinutes, alertMails } = await readSettings(change.tx);
    const alert: Alert = {
      errors: groups.map((group) => alertedError(group, config.publicUrl)),
      more,
      ...(kind === 'rate' ? { rate: { events: alertEvents ?? 0, minutes: alertMinutes } } : {}),
    };
    await publishToWebhooks(change, clock, events[kind], alert);
    if (alertMails.length > 0) await sendMail(change, kind, alert, alertMails);
  }

  async function lookAtRates(): Promise<void> {
    const { alertEvents, alertMinutes } = await readSettings(database.read);
    if (alertEvents === null) return;
    const since = clock.now() - alertMinutes * 60_000;
    const found = await errorsAboveRate(database.longReads, alertEvents, since);
    if (found.length > 0) await database.change((change) => raiseAll(change, 'rate', found));
  }

  async function sendWaiting(): Promise<void> {
    for (const kind of await store.overdueKinds(database.read, clock.now() - waitMs)) {
      await database.change(async (change) => {
        const { total, groupIds } = await store.takeWaiting(change, kind, named);
        const groups = await store.alertedGroups(change.tx, groupIds);
        if (groups.length > 0) await send(change, kind, groups, total - groups.length);
      });
    }
  }

  const tasks = { 'error rates': lookAtRates, 'waiting alerts': sendWaiting };
  const periodic = createPeriodic(logger, everyMs, tasks);

  return {
    /** Must be called in the transaction that has created groups or reopened resolved ones. */
    async onGroups(
      change: Change,
      { created, returned }: { created: readonly { id: string }[]; returned: readonly { id: string }[] },
    ): Promise<void> {
      const { alertNew, alertReturned } = await readSettings(change.tx);
      const ids = (groups: readonly { id: string }[]) => groups.map(({ id }) => id);
      if (alertNew) await raiseAll(change, 'new', ids(created));
      if (alertReturned) await raiseAll(change, 'returned', ids(returned));
    },
    sweeps: { ...tasks, 'old alerts': sweeping(store.removeOldAlerts) },
    /** Stops checking rates and sending waiting alerts. */
    close: periodic.stop,
  };
}

/**
 * Open errors with at least `events` events since a time. The hourly counts select candidates; a candidate is
 * returned if its latest `events` events are all later than that time.
 */
async function errorsAboveRate(longReads: Reader, events: number, since: number): Promise<string[]> {
  const firstHour = Math.floor(since / hourMs) * hourMs;
  const { rows } = await sql<{ id: string }>`
    select g.id from error_group g
    where g.status = 'open' and g.last_seen_at > ${since} and g.events >= ${events}
      and (select sum(c.events) from error_count c where c.group_id = g.id and c.hour >= ${firstHour}) >= ${events}
    order by g.last_seen_at desc limit ${most}`.execute(longReads);
  const found: string[] = [];
  for (const { id } of rows) {
    const nth = await longReads
      .selectFrom('error_event')
      .select('received_at')
      .where('group_id', '=', id)
      .orderBy('n', 'desc')
      .offset(events - 1)
      .limit(1)
      .executeTakeFirst();
    if (nth !== undefined && nth.received_at > since) found.push(id);
  }
  return found;
}

export function alertedError(row: store.AlertedGroup, publicUrl: string): AlertedError {
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

import { scanAudit, type AuditFilter } from './audit-scan.ts';
import { entriesOf, type AuditReader } from './current-names.ts';
import type { AuditEntry } from '#features/audit/contract/audit.ts';
import { timeOffsetHeader } from '#features/profile/contract/profile.ts';
import { csvHeadOf, csvRow } from '#server/platform/http/csv.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';

/** An entry of the audit as one line of JSON, the same in exports and in the stream to a log. */
export function jsonLine(entry: AuditEntry, offset: number | null = null): string {
  const { at, actor, subject, client } = entry;
  return `${JSON.stringify({
    type: 'audit',
    id: entry.id,
    at,
    time: new Date(at).toISOString(),
    ...(offset === null ? {} : { localTime: atOffset(at, offset) }),
    through: entry.through,
    ...(client === null ? {} : { client: client.program }),
    ...(client === null || client.system === null ? {} : { clientSystem: client.system }),
    actor: actor.name,
    actorId: actor.id,
    action: entry.action,
    subject: subject.id,
    ...(subject.nameNow === null ? {} : { subjectName: subject.nameNow }),
    before: entry.before,
    after: entry.after,
  })}\n`;
}

const columns = [
  'id',
  'time',
  'local_time',
  'through',
  'actor',
  'actor_id',
  'action',
  'subject',
  'subject_name',
  'before',
  'after',
  'client',
  'client_system',
] as const;

/** The first line of the CSV. */
export const csvHead = csvHeadOf(columns);

/** An entry as a line of CSV (RFC 4180). */
export function csvLine(entry: AuditEntry, offset: number | null = null): string {
  const { at, actor, subject } = entry;
  const values: Record<(typeof columns)[number], string> = {
    id: entry.id,
    time: new Date(at).toISOString(),
    local_time: offset === null ? '' : atOffset(at, offset),
    through: entry.through,
    actor: actor.name,
    actor_id: actor.id ?? '',
    action: entry.action,
    subject: subject.id,
    subject_name: subject.nameNow ?? '',
    before: jsonOf(entry.before),
    after: jsonOf(entry.after),
    client: entry.client?.program ?? '',
    client_system: entry.client?.system ?? '',
  };
  return csvRow(columns.map((column) => values[column]));
}

function jsonOf(value: unknown): string {
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

/**
 * The caller's `X-Time-Offset`: minutes east of UTC (PRO-3); null where it is not sent. Throws INVALID_REQUEST for
 * an offset that no time zone has.
 */
export function timeOffsetOf(headers: Record<string, string | string[] | undefined>): number | null {
  const value = headers[timeOffsetHeader];
  if (value === undefined) return null;
  const minutes = typeof value === 'string' && /^[+-]?\d{1,4}$/.test(value) ? Number(value) : NaN;
  if (!(Math.abs(minutes) <= 18 * 60)) {
    throw new HttpProblem('INVALID_REQUEST', {
      detail: 'X-Time-Offset is not a number of minutes east of UTC.',
    });
  }
  return minutes;
}

/** A moment at an offset, as `2026-11-21T22:00:00.000+01:00` (RFC 3339). */
function atOffset(at: number, minutes: number): string {
  const local = new Date(at + minutes * 60_000).toISOString().slice(0, -1);
  const far = Math.abs(minutes);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.floor(far / 60))}:${two(far % 60)}`;
}

/** Rows in one batch: few enough that other requests hardly wait, whatever the rows hold. */
const rowsAtOnce = 100;

/**
 * Streams what the filter finds, the latest first. The next piece is read when the reader has consumed the last one.
 */
export async function* exportLines(
  reader: AuditReader,
  filter: AuditFilter,
  { format, offset }: { format: 'csv' | 'jsonl'; offset: number | null },
): AsyncGenerator<string, void, undefined> {
  if (format === 'csv') yield csvHead;
  const line = format === 'csv' ? csvLine : jsonLine;
  for await (const { rows } of scanAudit(reader.read, filter, null, rowsAtOnce)) {
    if (rows.length === 0) continue;
    const entries = await entriesOf(reader, rows);
    yield entries.map((entry) => line(entry, offset)).join('');
  }
}

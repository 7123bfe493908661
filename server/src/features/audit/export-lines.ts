import type { AuditEntry } from '@portico/contract/audit';
import { atOffset } from './local-time.ts';

/** An entry of the audit as one line of JSON, the same in exports and in the stream to a log. */
export function jsonLine(entry: AuditEntry, offset: number | null = null): string {
  const { at, actor, subject } = entry;
  return `${JSON.stringify({
    type: 'audit',
    id: entry.id,
    at,
    time: new Date(at).toISOString(),
    ...(offset === null ? {} : { localTime: atOffset(at, offset) }),
    through: entry.through,
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
] as const;

/** The first line of the CSV, with the mark by which spreadsheets know UTF-8. */
export const csvHead = `\u{feff}${columns.join(',')}\r\n`;

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
  };
  return `${columns.map((column) => cell(values[column])).join(',')}\r\n`;
}

function jsonOf(value: unknown): string {
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

// A spreadsheet would run a cell that begins like this as a formula, also behind spaces and in full width
// (OWASP, "CSV Injection"). A leading apostrophe makes it text.
const formula = /^\s*[=+\-@|\uff1d\uff0b\uff0d\uff20\t\r]/;

function cell(text: string): string {
  const harmless = formula.test(text) ? `'${text}` : text;
  return /[",\r\n;\t']|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

import type { AuditEntry } from '#features/audit/contract/audit.ts';
import { scanAudit, type AuditFilter, type AuditRow, type Place } from './audit-scan.ts';
import { entriesOf, longestInLists, type AuditReader } from './current-names.ts';

export type AuditPage = {
  entries: AuditEntry[];
  next: Place | null;
  /** The time back to which the audit was searched; null: to its beginning. */
  lookedBackTo: number | null;
};

/** The most rows that one page searches, so that a search without a match ends. */
const mostLookedThrough = 100_000;

/** Reads a page, the latest first: at most `limit` entries after a place; it searches at most `most` rows. */
export async function listAudit(
  reader: AuditReader,
  filter: AuditFilter,
  page: { behind: Place | null; limit: number },
  most: number = mostLookedThrough,
): Promise<AuditPage> {
  const rows: AuditRow[] = [];
  let looked = 0;
  let reached: Place | null = null;
  for await (const stretch of scanAudit(reader.read, filter, page.behind)) {
    rows.push(...stretch.rows);
    looked += stretch.looked;
    ({ reached } = stretch);
    if (rows.length > page.limit || looked >= most) break;
  }
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const next = rows.length > page.limit && last !== undefined ? { at: last.at, id: last.id } : reached;
  return {
    entries: await entriesOf(reader, shown, longestInLists),
    next,
    lookedBackTo: next === null ? null : next.at,
  };
}

/** One entry, whole, or null. */
export async function readAuditEntry(reader: AuditReader, entryId: string): Promise<AuditEntry | null> {
  const row = await reader.read.selectFrom('audit').selectAll().where('id', '=', entryId).executeTakeFirst();
  if (row === undefined) return null;
  const [entry] = await entriesOf(reader, [row]);
  return entry ?? null;
}

import { scanAudit, type AuditFilter } from './audit-scan.ts';
import { csvHead, csvLine, jsonLine } from './export-lines.ts';
import { entriesOf, type AuditReader } from './current-names.ts';

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

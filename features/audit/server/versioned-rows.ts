import type { AuditAction } from '#features/audit/contract/audit.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { refuseStale } from '#server/platform/http/http-problem.ts';
import { recordAudit, type Actor } from './audit.store.ts';

/** A write of a row: `before` is the row that it replaced, none where it was added. */
type Write<Row> = { action: AuditAction; subject: string; before?: Row };

type Removal<Row> = {
  action: AuditAction;
  subject: string;
  before: Row;
  /** What was removed along with the row. */
  lost?: object;
};

/**
 * Rows that operators edit. Each has a version, and a write names the version that it read. A write has three
 * steps: `findAt` reads the row and refuses another version; the feature makes its own checks and runs its
 * SQL, which sets `nextVersion`; `recordWrite` records it in the audit.
 *
 * @param kind.find reads a row by its id, which is the subject in the audit; throws NOT_FOUND, and what
 *   refuses every write of this row
 * @param kind.audited the part of a row that the audit shows
 * @param kind.stale the detail of VERSION_CONFLICT
 */
export function versionedRows<Row extends { version: number }>(kind: {
  find: (read: Reader, id: string) => Promise<Row>;
  audited: (row: Row) => object;
  stale?: string;
}) {
  const { find, audited, stale } = kind;
  return {
    /** Reads the row; throws what `find` throws, and VERSION_CONFLICT where it has another version. */
    async findAt(change: Change, id: string, version: number): Promise<Row> {
      const row = await find(change.tx, id);
      refuseStale(row, version, stale);
      return row;
    },

    /** Records in the audit a row that was just added or changed, and returns it as it is stored now. */
    async recordWrite(change: Change, actor: Actor, { action, subject, before }: Write<Row>): Promise<Row> {
      const after = await find(change.tx, subject);
      await recordAudit(change, actor, {
        action,
        subject,
        before: before && audited(before),
        after: audited(after),
      });
      return after;
    },

    /** Records in the audit that a row was removed. */
    recordRemoval(
      change: Change,
      actor: Actor,
      { action, subject, before, lost }: Removal<Row>,
    ): Promise<void> {
      return recordAudit(change, actor, { action, subject, before: { ...audited(before), ...lost } });
    },
  };
}

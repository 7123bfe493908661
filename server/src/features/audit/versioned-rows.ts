import type { AuditAction } from '@portico/contract/audit';
import type { Change, Reader } from '../../platform/database/database.ts';
import { refuseStale } from '../../platform/http/refusals.ts';
import { recordAudit, type Actor } from './audit.store.ts';

/** A write of a row: `before` is the row that it replaced, none where it was added. */
type Write<Row> = { action: AuditAction; subject: string; before?: Row };

type Removal<Row> = {
  action: AuditAction;
  subject: string;
  before: Row;
  /** What was removed along with it. */
  lost?: object;
};

/**
 * Rows of one kind that operators write against the version that they have read. A write is three steps:
 * `findAt`, the feature's own checks and SQL (which sets `nextVersion`), `recordWrite`.
 *
 * @param kind.find reads the row with the id that is the audit's subject; throws NOT_FOUND, and whatever else
 *   refuses any write of it
 * @param kind.audited what the audit shows of a row
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

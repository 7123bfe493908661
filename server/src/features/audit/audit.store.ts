import type { Change } from '../../platform/database.ts';
import { newId } from '../../platform/ids.ts';
import type { Caller } from '../../platform/serve.ts';

/** Who does something: a caller, the command line, or the start itself. */
export type Actor = Caller | { kind: 'command-line' | 'start'; id: null; name: string };

/** What was done, as the audit tells it (AUD-1). `before` and `after` are whole, without secrets. */
export type AuditEntry = {
  /** `<area>.<verb>`, such as `flag.update`. */
  action: string;
  /** What it was done to: a flag's key, a person's id, … */
  subject: string;
  before?: unknown;
  after?: unknown;
};

/** Writes the audit row of an operator's write, in the transaction of that write: neither is kept without the other. */
export async function recordAudit(change: Change, actor: Actor, entry: AuditEntry): Promise<void> {
  await change.tx
    .insertInto('audit')
    .values({
      id: newId(),
      at: change.at,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      action: entry.action,
      subject: entry.subject,
      before: entry.before === undefined ? null : JSON.stringify(entry.before),
      after: entry.after === undefined ? null : JSON.stringify(entry.after),
    })
    .execute();
}

import type { Flag } from '#features/flags/contract/flags.ts';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import type { FlagChange } from '#features/webhooks/server/message-words.ts';
import { publishToWebhooks } from '#features/webhooks/server/publish.ts';
import type { Change } from '#server/platform/database/database.ts';
import type { AccessControl } from '#server/platform/http/access-check.ts';
import { HttpProblem, invalid } from '#server/platform/http/http-problem.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import { seenByClients } from './flags.store.ts';
import { readReview } from './review.store.ts';

type What = 'create' | 'update' | 'switch' | 'ramp' | 'guard' | 'archive' | 'unarchive';

type Said = {
  note?: string | undefined;
  bypassReview?: boolean | undefined;
  /** Who approved the proposal; null if it needed no approval. */
  approvedBy?: string | null;
  /** True: the change pauses or resumes a ramp, so it needs no review. */
  asPlanned?: boolean;
};

/**
 * Records a change of a flag in the audit, which is the flag's history, and notifies webhooks and people who chose
 * so. Throws REVIEW_REQUIRED if clients would see the change and it needs a review (FLAG-22); RIGHT_MISSING if a
 * review is skipped without the right to, and INVALID_BODY if it is skipped without a note.
 */
export type RecordFlag = (
  change: Change,
  actor: Actor,
  what: What,
  flag: { before?: Flag; after: Flag },
  said?: Said,
) => Promise<void>;

export function createRecordFlag({
  clock,
  publicUrl,
  rightsOf,
}: {
  clock: Clock;
  publicUrl: string;
  rightsOf: AccessControl['rightsOf'];
}): RecordFlag {
  async function refuseUnreviewed(actor: Actor, note: string, { bypassReview = false }: Said): Promise<void> {
    if (!bypassReview)
      throw new HttpProblem('REVIEW_REQUIRED', {
        detail: 'Clients would see this change. Propose it, so that another person can approve it.',
      });
    if ('sessionId' in actor && !(await rightsOf(actor)).has('FLAGS_BYPASS'))
      throw new HttpProblem('RIGHT_MISSING', {
        detail: 'Leaving out a review takes the right FLAGS_BYPASS.',
      });
    if (note === '') throw invalid('/note', 'required', 'says why it goes without a review');
  }

  return async (change, actor, what, { before, after }, said = {}) => {
    const { key, enabled, version } = after;
    const { note = '', approvedBy, asPlanned = what === 'guard' } = said;
    const bypassed =
      approvedBy === undefined &&
      !asPlanned &&
      seenByClients(after) !== null &&
      seenByClients(after) !== seenByClients(before ?? null) &&
      (await readReview(change.tx)).required;
    if (bypassed) await refuseUnreviewed(actor, note, said);
    await recordAudit(change, actor, {
      action: `flag.${what}`,
      subject: key,
      ...(before === undefined ? {} : { before }),
      after: {
        ...after,
        ...(note === '' ? {} : { note }),
        ...(bypassed ? { bypassed } : {}),
        ...(approvedBy == null ? {} : { approvedBy }),
      },
    });
    const about = { key, enabled, version, link: `${publicUrl}/flags/${encodeURIComponent(key)}` };
    if (what === 'guard') return publishToWebhooks(change, clock, 'flag.held', { ...about, by: null });
    const done: FlagChange = what === 'switch' ? (enabled ? 'on' : 'off') : what;
    await publishToWebhooks(change, clock, 'flag.changed', { ...about, change: done, by: actor.name });
  };
}

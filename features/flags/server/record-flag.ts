import type { Flag } from '#features/flags/contract/flags.ts';
import { ruleAt } from '#features/flags/contract/schedules.ts';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import type { FlagChange } from '#features/webhooks/server/message-words.ts';
import { publishToWebhooks } from '#features/webhooks/server/publish.ts';
import type { Change } from '#server/platform/database/database.ts';
import type { AccessControl } from '#server/platform/http/access-check.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { invalid } from '#server/platform/http/refusals.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import { seenByClients } from './flags.store.ts';
import { readReview } from './review.store.ts';

type What = 'create' | 'update' | 'switch' | 'ramp' | 'archive' | 'unarchive';

type Said = {
  note?: string | undefined;
  bypassReview?: boolean | undefined;
  /** Of a proposal: who approved it; null: nobody had to. */
  approvedBy?: string | null;
};

/**
 * Records what was done to a flag in the audit, which is its history, and tells webhooks and people who chose so.
 * Throws REVIEW_REQUIRED where clients would see it and it needs a review (FLAG-22); RIGHT_MISSING and INVALID_BODY
 * where a review is left out without the right for that, or a note.
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
    const { note = '', approvedBy } = said;
    const bypassed =
      approvedBy === undefined &&
      needsReview(what, before ?? null, after, change.at) &&
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
    const told: FlagChange = what === 'switch' ? (enabled ? 'on' : 'off') : what;
    await publishToWebhooks(change, clock, 'flag.changed', {
      key,
      change: told,
      enabled,
      version,
      by: actor.name,
      link: `${publicUrl}/flags/${encodeURIComponent(key)}`,
    });
  };
}

/** Whether clients see it; turning off, and what stops a ramp or lets it go on as planned, is never held up. */
function needsReview(what: What, before: Flag | null, after: Flag, now: number): boolean {
  const seen = seenByClients(after);
  if (seen === null || seen === seenByClients(before)) return false;
  const at = (flag: Flag | null) => JSON.stringify(flag?.rules.map((rule) => ruleAt(rule, now)));
  return what !== 'ramp' || at(before) !== at(after);
}

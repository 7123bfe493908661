import type { Flag } from '#features/flags/contract/flags.ts';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import type { FlagChange } from '#features/webhooks/server/message-words.ts';
import { publishToWebhooks } from '#features/webhooks/server/publish.ts';
import type { Change } from '#server/platform/database/database.ts';
import type { Clock } from '#server/platform/time/clock.ts';

/** Records what was done to a flag in the audit, which is its history, and tells webhooks and people who chose so. */
export type RecordFlag = (
  change: Change,
  actor: Actor,
  what: 'create' | 'update' | 'switch' | 'ramp' | 'archive' | 'unarchive',
  flag: { before?: Flag; after: Flag },
) => Promise<void>;

export function createRecordFlag({ clock, publicUrl }: { clock: Clock; publicUrl: string }): RecordFlag {
  return async (change, actor, what, { before, after }) => {
    const { key, enabled, version } = after;
    await recordAudit(change, actor, {
      action: `flag.${what}`,
      subject: key,
      ...(before === undefined ? {} : { before }),
      after,
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

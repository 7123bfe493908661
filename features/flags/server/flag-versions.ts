import type { Flag, FlagVersion } from '#features/flags/contract/flags.ts';
import type { Reader } from '#server/platform/database/database.ts';

type Said = Pick<FlagVersion, 'note' | 'approvedBy' | 'bypassed'>;

const pageSize = 20;
const actions = ['create', 'update', 'switch', 'ramp', 'guard', 'archive', 'unarchive'].map(
  (what) => `flag.${what}`,
);

/** What a flag was after each change, the latest first, from the audit, which no erasure of a flag shortens (FLAG-14). */
export async function flagVersions(
  read: Reader,
  flagKey: string,
  cursor: number | undefined,
): Promise<{ versions: FlagVersion[]; next: string | null }> {
  const rows = await read
    .selectFrom('audit')
    .select(['id', 'at', 'actor_name', 'after'])
    .where('subject', '=', flagKey)
    .where('action', 'in', actions)
    // The time of a change is that of no other.
    .where('at', '<', cursor ?? Number.MAX_SAFE_INTEGER)
    .orderBy('at', 'desc')
    .limit(pageSize + 1)
    .execute();
  const shown = rows.slice(0, pageSize);
  return {
    versions: shown.map(({ id, at, actor_name: by, after }) => {
      const { type, description, defaultValue, enabled, rules, tags, version, ...rest } = JSON.parse(
        after ?? '{}',
      ) as Flag & Said;
      // Entries of before flags could be marked have none.
      const { forSignedOut = false, killSwitch = false, ...said } = rest as Partial<Flag & Said>;
      const { note = '', approvedBy = null, bypassed = false } = said;
      return {
        id,
        at,
        by,
        version,
        note,
        approvedBy,
        bypassed,
        flag: { type, description, defaultValue, enabled, forSignedOut, killSwitch, rules, tags },
      };
    }),
    next: rows.length > pageSize ? String(shown.at(-1)?.at) : null,
  };
}

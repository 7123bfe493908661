import { unreadAfterMs, type FlagUseSummary, type KeyHealth } from '#features/flags/contract/usage.ts';
import type { Flag } from '#features/flags/contract/flags.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { usesOf } from './flag-uses.ts';
import { valueForEveryone } from './stale-flags.ts';
import { dayStep, readKeyUsage, readLastUses, type UsageKind } from './usage.store.ts';

type Flags = readonly Pick<Flag, 'key' | 'enabled' | 'createdAt' | 'defaultValue' | 'rules'>[];

/**
 * Decides whether code reads flags (FLAG-16). A client that receives all flags at once does not show which of them
 * it uses: unless such clients report, no flag is known to be unread.
 *
 * @param flags all flags, since they depend on each other
 */
export async function readVerdicts(read: Reader, flags: Flags, now: number) {
  const ofKeys = await readKeyUsage(read, now - 30 * dayStep);
  const lastUses = new Map((await readLastUses(read)).map(({ flag_key: key, last_at: at }) => [key, at]));
  const recent = ofKeys.filter(({ last_at: at }) => at >= now - unreadAfterMs);
  const keysWith = (...kinds: string[]) =>
    new Set(recent.filter(({ kind }) => kinds.includes(kind)).map(({ client_key: key }) => key));
  const reporting = keysWith('events');
  const silent = [...keysWith('whole', 'stream')].filter((key) => !reporting.has(key)).toSorted();
  const countedSince = ofKeys.length === 0 ? null : Math.min(...ofKeys.map(({ first_at: at }) => at));

  function verdictOf(flag: Flags[number]): FlagUseSummary {
    const { key, enabled, createdAt, defaultValue, rules } = flag;
    const lastRead = lastUses.get(key) ?? null;
    const isRead = lastRead !== null && lastRead >= now - unreadAfterMs;
    // Counting may have begun in the middle of the first day, so that day is left out.
    const since = Math.max(createdAt, (countedSince ?? now) + dayStep);
    const isKnown = silent.length === 0 && since <= now - unreadAfterMs;
    const verdict = isRead ? 'read' : isKnown ? 'unread' : 'not-known';
    const isSame = !enabled || valueForEveryone(defaultValue, rules) !== undefined;
    return {
      key,
      verdict,
      lastRead,
      safeToRemove: verdict === 'unread' && isSame && usesOf(key, flags).length === 0,
    };
  }

  return { verdictOf, silent, countedSince, ofKeys };
}

type KeyUsage = Awaited<ReturnType<typeof readKeyUsage>>;

/** The SDKs that reported with a key, the latest first; SDKs that were counted without a name are left out. */
export function sdksOf(key: string, usage: KeyUsage): string[] {
  return usage
    .filter(({ client_key: of, kind, value }) => of === key && kind === 'sdk' && value !== '')
    .toSorted((a, b) => b.last_at - a.last_at)
    .map(({ value }) => value);
}

/** The health of a client key, from the counts of all keys. */
export function healthOf(key: string, usage: KeyUsage): KeyHealth {
  const rowsOf = (...kinds: UsageKind[]) =>
    usage.filter((row) => row.client_key === key && kinds.some((kind) => kind === row.kind));
  const lastOf = (rows: KeyUsage) =>
    rows.length === 0 ? null : Math.max(...rows.map(({ last_at: at }) => at));
  const sumOf = (rows: KeyUsage) => rows.reduce((sum, { count }) => sum + count, 0);
  const refused = rowsOf('refused');
  return {
    key,
    lastRead: lastOf(rowsOf('whole', 'own', 'stream', 'single')),
    refused: sumOf(refused),
    lastRefused: lastOf(refused),
    unkept: sumOf(rowsOf('unkept')),
    unknownFlags: sumOf(rowsOf('unknown')),
    sdks: sdksOf(key, usage),
  };
}

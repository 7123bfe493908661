import { accessToken } from '#features/session/contract/session.ts';

/**
 * A token with its times by the server's clock, and when it was received by this computer's, which all tabs
 * share.
 */
export type TokenAnswer = { accessToken: string; expiresAt: number; serverTime: number; receivedAt: number };

/** What the tabs of a browser send each other about the session. */
export type SessionMessage =
  | ({ type: 'token' } & TokenAnswer)
  /** The sending tab found the session ended by the server: the others ask for themselves. */
  | { type: 'ended' }
  /** `keptOf`: the tabs whose typed text was stored as drafts; null: typed text is discarded in all tabs. */
  | { type: 'signed-out'; keptOf: readonly string[] | null };

/** Reads a message of another tab; null: this release does not know it. */
export function readSessionMessage(data: Record<string, unknown>): SessionMessage | null {
  if (data['type'] === 'ended') return { type: 'ended' };
  if (data['type'] === 'signed-out') {
    const { keptOf } = data;
    return { type: 'signed-out', keptOf: Array.isArray(keptOf) ? keptOf.map(String) : null };
  }
  const read = accessToken.safeParse(data);
  const { receivedAt } = data;
  if (data['type'] !== 'token' || !read.success || typeof receivedAt !== 'number') return null;
  return { type: 'token', ...read.data, receivedAt };
}

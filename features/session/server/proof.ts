import type { ProofOutcome } from '#contract/pages.ts';
import type { Core } from '#server/core.ts';
import type { Change } from '#server/platform/database/database.ts';
import { nullUnlessStorageFailed } from '#server/platform/database/storage-failure.ts';
import type { AccessControl } from '#server/platform/http/access-check.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { personByIdentity } from '#features/directory/server/people.store.ts';
import type { VerifiedSignIn } from './relying-party.ts';
import { lastProof, noteProof, storeIdToken } from './session.store.ts';

/** How long a proof counts that it is still the same person. */
const proofMs = 10 * 60_000;

export type Proofs = Pick<AccessControl, 'refuseUnproved'> & {
  /** The outcome of a sign-in that was to prove this session. */
  settle(
    sessionId: string,
    verified: VerifiedSignIn,
    cookieHeader: string | undefined,
  ): Promise<ProofOutcome>;
};

/** Proofs that it is still the same person (SES-13). */
export function createProofs(
  options: Pick<Core, 'database' | 'clock' | 'logger'> & {
    asks: boolean;
    acrValues: readonly string[];
    /** The `person.issuer` of people who sign in at the provider. */
    issuer: string;
    identifySession: AccessControl['identifySession'];
    /** Stores the provider's side of the session as it is after this sign-in. */
    keepSession(change: Change, sessionId: string, verified: VerifiedSignIn): Promise<void>;
  },
): Proofs {
  const { database, clock, acrValues } = options;
  const isRecent = (at: number): boolean => clock.now() < at + proofMs;
  // RFC 9470.
  const challenge = [
    'Bearer error="insufficient_user_authentication"',
    `max_age="${proofMs / 1000}"`,
    ...(acrValues.length === 0
      ? []
      : [`acr_values="${acrValues.join(' ').replaceAll(/["\\]/g, String.raw`\$&`)}"`]),
  ].join(', ');

  async function outcomeOf(
    sessionId: string,
    { claims, proof }: VerifiedSignIn,
    cookieHeader: string | undefined,
  ): Promise<Exclude<ProofOutcome, 'proved'> | number> {
    const caller = await options.identifySession(cookieHeader).catch(nullUnlessStorageFailed);
    if (caller?.sessionId !== sessionId) return 'failed';
    if ((await personByIdentity(database.read, options.issuer, claims.sub)) !== caller.id) return 'person';
    return typeof proof === 'number' && !isRecent(proof) ? 'old' : proof;
  }

  return {
    async refuseUnproved({ kind, sessionId }) {
      if (kind === 'token' || !options.asks) return;
      if (isRecent(await lastProof(database.read, sessionId ?? ''))) return;
      throw new HttpProblem('PROOF_NEEDED', { headers: { 'www-authenticate': challenge } });
    },

    async settle(sessionId, verified, cookieHeader) {
      const outcome = await outcomeOf(sessionId, verified, cookieHeader);
      if (typeof outcome === 'string') {
        options.logger.warn(
          { sessionId, reason: outcome },
          'a sign-in at the provider did not prove who it is; docs/identity-providers says what that takes',
        );
        return outcome;
      }
      await database.change(async (change) => {
        if (!(await noteProof(change.tx, sessionId, outcome))) return;
        await storeIdToken(change.tx, sessionId, verified.idToken);
        await options.keepSession(change, sessionId, verified);
      });
      return 'proved';
    },
  };
}

import { createHmac, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { NewPasskey, PasskeyAssertion } from '#features/identity-provider/contract/factors.ts';
import type { Core } from '#server/core.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { hashSecret, sameSecret } from '#server/platform/keys/ids.ts';
import type { Account } from '../accounts.store.ts';
import * as store from './factors.store.ts';

/** Ed25519, ES256 and RS256: asking for the library's newest makes Node warn of what is experimental there. */
const algorithms = [-8, -7, -257];
const challengeMs = 5 * 60_000;
const mostPasskeys = 20;
const nonceBytes = 16;
const timeBytes = 6;

/** The host whose passkeys work at an address (WebAuthn's relying party id), or null: browsers offer none there. */
export function relyingPartyId(publicUrl: string): string | null {
  const { hostname, protocol } = new URL(publicUrl);
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0;
  return isAddress || (protocol !== 'https:' && hostname !== 'localhost') ? null : hostname;
}

/**
 * Passkeys by WebAuthn. A challenge holds its own expiry and is signed together with what it is for, so that asking
 * for one stores nothing; one that was answered is stored until it would have expired, and serves only once.
 *
 * @param parts.secret signs the challenges
 */
export function createPasskeys(
  parts: Pick<Core, 'database' | 'clock'> & {
    publicUrl: string;
    secret: string;
    productName(): string;
  },
) {
  const { database, clock, publicUrl } = parts;
  const { origin } = new URL(publicUrl);
  const rpId = relyingPartyId(publicUrl);

  function required(): string {
    if (rpId !== null) return rpId;
    throw new HttpProblem('CONFLICT', {
      detail: 'Passkeys need an address with a host name and TLS; PUBLIC_URL has none.',
    });
  }

  function sign(head: Buffer, boundTo: string): Buffer {
    return createHmac('sha256', parts.secret).update(head).update(boundTo).digest();
  }

  function newChallenge(boundTo: string): Uint8Array<ArrayBuffer> {
    const head = Buffer.alloc(nonceBytes + timeBytes);
    randomBytes(nonceBytes).copy(head);
    head.writeUIntBE(clock.now() + challengeMs, nonceBytes, timeBytes);
    return new Uint8Array(Buffer.concat([head, sign(head, boundTo)]));
  }

  /** When a challenge of ours for `boundTo` expires; null: it is not ours, or has expired. */
  function expiryOf(challenge: string, boundTo: string): number | null {
    const bytes = Buffer.from(challenge, 'base64url');
    const head = bytes.subarray(0, nonceBytes + timeBytes);
    const signature = bytes.subarray(head.length).toString('base64url');
    if (head.length < nonceBytes + timeBytes) return null;
    if (!sameSecret(signature, sign(head, boundTo).toString('base64url'))) return null;
    const expiresAt = head.readUIntBE(nonceBytes, timeBytes);
    return clock.now() < expiresAt ? expiresAt : null;
  }

  /** Checks the challenge of an answer; `found` then holds its hash and its expiry. */
  function challengeCheck(boundTo: string) {
    const found = { hash: '', expiresAt: 0 };
    return {
      found,
      expectedChallenge(challenge: string): boolean {
        const expiresAt = expiryOf(challenge, boundTo);
        if (expiresAt === null) return false;
        Object.assign(found, { hash: hashSecret(challenge), expiresAt });
        return true;
      },
    };
  }

  return {
    rpId,

    /**
     * Options for a browser that is to answer with a passkey.
     *
     * @param boundTo the sign-in or session in which the answer has to come
     * @param accountId whose passkeys; null: any that the browser has
     */
    async assertionOptions(boundTo: string, accountId: string | null): Promise<object> {
      const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
      const own = accountId === null ? [] : await store.passkeysOf(database.read, { accountId }, rpId);
      return {
        ...(await generateAuthenticationOptions({
          rpID: required(),
          challenge: newChallenge(boundTo),
          allowCredentials: own
            .filter(({ usable }) => usable)
            .map(({ credentialId, transports }) => ({ id: credentialId, transports: transports as never[] })),
          userVerification: 'required',
          timeout: challengeMs,
        })),
      };
    },

    /**
     * The account whose passkey has answered, with its user verified; the answer cannot be used again. Null for
     * anything else: another installation's or person's passkey, a challenge of another sign-in, a counter that fell.
     */
    async check(
      answer: PasskeyAssertion,
      boundTo: string,
      accountId: string | null,
    ): Promise<{ accountId: string } | null> {
      const [known] = await store.passkeysOf(database.read, { credentialId: answer.id }, rpId);
      if (known === undefined || !known.usable) return null;
      if (accountId !== null && known.accountId !== accountId) return null;
      const { userHandle = '' } = answer.response;
      if (userHandle !== '' && userHandle !== (await store.knownHandle(database.read, known.accountId)))
        return null;
      const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
      const { found, expectedChallenge } = challengeCheck(boundTo);
      const verified = await verifyAuthenticationResponse({
        response: answer,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID: required(),
        requireUserVerification: true,
        credential: {
          id: known.credentialId,
          publicKey: new Uint8Array(Buffer.from(known.publicKey, 'base64url')),
          counter: known.counter,
        },
        // The library throws for each answer that it does not accept.
      }).catch(() => null);
      if (verified?.verified !== true) return null;
      const { newCounter, credentialBackedUp } = verified.authenticationInfo;
      const use = { counter: newCounter, synced: credentialBackedUp, at: clock.now() };
      const taken = await database.transaction(
        async (tx) =>
          (await store.spendChallenge(tx, found.hash, found.expiresAt)) &&
          (await store.notePasskeyUse(tx, known, use)),
      );
      return taken ? { accountId: known.accountId } : null;
    },

    /** Options for a browser that is to make a passkey. */
    async creationOptions(account: Account, name: string, boundTo: string): Promise<object> {
      const { generateRegistrationOptions } = await import('@simplewebauthn/server');
      const own = await store.passkeysOf(database.read, { accountId: account.id }, rpId);
      const rpID = required();
      if (own.length >= mostPasskeys)
        throw new HttpProblem('CONFLICT', { detail: `An account has ${mostPasskeys} passkeys at most.` });
      const handle = await database.transaction((tx) =>
        store.passkeyHandle(tx, account.id, randomBytes(32).toString('base64url')),
      );
      return {
        ...(await generateRegistrationOptions({
          rpName: parts.productName(),
          rpID,
          userID: new Uint8Array(Buffer.from(handle, 'base64url')),
          userName: account.email,
          userDisplayName: name,
          challenge: newChallenge(`new ${boundTo}`),
          attestationType: 'none',
          supportedAlgorithmIDs: algorithms,
          excludeCredentials: own
            .filter(({ usable }) => usable)
            .map(({ credentialId }) => ({ id: credentialId })),
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
          timeout: challengeMs,
        })),
      };
    },

    /**
     * Verifies a new passkey; answers what stores it, in the change of its caller.
     *
     * @throws INVALID_BODY where it is not accepted, CONFLICT where it is known
     */
    async accept(account: Account, { name, answer }: { name: string; answer: NewPasskey }, boundTo: string) {
      const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
      const { found, expectedChallenge } = challengeCheck(`new ${boundTo}`);
      const verified = await verifyRegistrationResponse({
        response: answer,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID: required(),
        requireUserVerification: true,
        supportedAlgorithmIDs: algorithms,
      }).catch(() => null);
      if (verified?.verified !== true) throw refused();
      const { credential, credentialBackedUp } = verified.registrationInfo;
      return async (change: Change): Promise<void> => {
        if (!(await store.spendChallenge(change.tx, found.hash, found.expiresAt))) throw refused();
        await refuseUnlessNew(change.tx, account, credential.id);
        await store.insertPasskey(change, {
          credentialId: credential.id,
          accountId: account.id,
          rpId: required(),
          publicKey: Buffer.from(credential.publicKey).toString('base64url'),
          counter: credential.counter,
          transports: credential.transports ?? [],
          name,
          synced: credentialBackedUp,
        });
      };
    },
  };

  async function refuseUnlessNew(read: Reader, account: Account, credentialId: string): Promise<void> {
    const [known] = await store.passkeysOf(read, { credentialId }, rpId);
    const own = await store.passkeysOf(read, { accountId: account.id }, rpId);
    if (known !== undefined || own.length >= mostPasskeys)
      throw new HttpProblem('CONFLICT', { detail: 'This passkey is known already.' });
  }
}

function refused(): HttpProblem {
  return new HttpProblem('INVALID_BODY', {
    errors: [{ pointer: '/answer', code: 'refused', message: 'is not a passkey for this sign-in' }],
  });
}

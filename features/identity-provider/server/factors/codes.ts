import { randomInt } from 'node:crypto';
import type { BegunFactor } from '#features/identity-provider/contract/factors.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import type { Change, Database } from '#server/platform/database/database.ts';
import { HttpProblem, invalid } from '#server/platform/http/http-problem.ts';
import { hashSecret } from '#server/platform/keys/ids.ts';
import type { Seal } from '#server/platform/keys/seal.ts';
import type { Account } from '../accounts.store.ts';
import * as store from './factors.store.ts';

/** The settings of RFC 6238 that every app for codes supports. */
const settings = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const recoveryCodes = 10;
/** Letters and digits without those that people mistake for each other. */
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const recoveryLength = 16;

/** One-time codes of an app, and recovery codes. */
export function createCodes(parts: { database: Database; clock: Clock; seal: Seal; productName(): string }) {
  const { database, clock, seal } = parts;

  /** The 30-second step that a code belongs to, the present one or one next to it; null: the code is wrong. */
  async function stepOf(accountId: string, code: string, sealedSecret: string): Promise<number | null> {
    const secret = seal.open(sealedSecret, accountId);
    if (secret === null || !/^\d{6}$/.test(code)) return null;
    const { Secret, TOTP } = await import('otpauth');
    const totp = new TOTP({ ...settings, secret: Secret.fromBase32(secret) });
    const timestamp = clock.now();
    const delta = totp.validate({ token: code, window: 1, timestamp });
    return delta === null ? null : Math.floor(timestamp / 1000 / settings.period) + delta;
  }

  return {
    /** A new secret, which is in force once a code of it was typed. Throws CONFLICT where codes are set up. */
    async begin({ id, email }: Account): Promise<NonNullable<BegunFactor['code']>> {
      const [{ Secret, TOTP }, { encode }] = await Promise.all([import('otpauth'), import('uqr')]);
      const secret = new Secret({ size: 20 });
      await database.transaction(async (tx) => {
        if ((await store.oneTimeCodeOf(tx, id))?.confirmedAt != null)
          throw new HttpProblem('CONFLICT', { detail: 'One-time codes are set up; remove them first.' });
        await store.beginOneTimeCode(tx, id, seal.seal(secret.base32, id));
      });
      const address = new TOTP({ ...settings, issuer: parts.productName(), label: email, secret }).toString();
      const { data, size } = encode(address, { border: 2 });
      const path = data
        .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
        .join('');
      return { secret: secret.base32, address, qr: { path, size } };
    },

    /** Confirms the secret that was begun. Throws INVALID_BODY for a wrong code. */
    async confirm(change: Change, accountId: string, typed: string): Promise<void> {
      const stored = await store.oneTimeCodeOf(change.tx, accountId);
      if (stored === null || stored.confirmedAt !== null)
        throw new HttpProblem('CONFLICT', { detail: 'No one-time codes are being set up.' });
      const step = await stepOf(accountId, normal(typed), stored.sealedSecret);
      if (step === null) throw invalid('/code', 'wrong', 'is not the present code');
      await store.takeStep(change.tx, accountId, step);
      await store.confirmOneTimeCode(change, accountId);
    },

    /** Uses a one-time code or a recovery code up; null where it is wrong or was used. */
    async take(accountId: string, typed: string): Promise<'code' | 'recovery-code' | null> {
      const code = normal(typed);
      if (code.length === recoveryLength) {
        const taken = await database.transaction((tx) => store.takeRecoveryCode(tx, accountId, hashOf(code)));
        return taken ? 'recovery-code' : null;
      }
      const stored = await store.oneTimeCodeOf(database.read, accountId);
      if (stored?.confirmedAt == null) return null;
      const step = await stepOf(accountId, code, stored.sealedSecret);
      if (step === null) return null;
      return (await database.transaction((tx) => store.takeStep(tx, accountId, step))) ? 'code' : null;
    },

    /** Ten new recovery codes in the place of all others. */
    async renewRecovery(change: Change, accountId: string): Promise<string[]> {
      const fresh = Array.from({ length: recoveryCodes }, newRecoveryCode);
      await store.replaceRecoveryCodes(
        change.tx,
        accountId,
        fresh.map((code) => hashOf(normal(code))),
      );
      return fresh;
    },
  };
}

/** A typed code without spaces and hyphens, in upper case: people read codes from paper or an app. */
function normal(typed: string): string {
  return typed.replaceAll(/[\s-]/g, '').toUpperCase();
}

/** 78 random bits, which need no slow hash. */
function newRecoveryCode(): string {
  const code = Array.from({ length: recoveryLength }, () => letters[randomInt(letters.length)]).join('');
  return code.replaceAll(/(.{4})(?=.)/g, '$1-');
}

function hashOf(code: string): string {
  return hashSecret(`recovery ${code}`);
}

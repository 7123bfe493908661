import type { BegunFactor, FactorKind, FactorToAdd } from '#features/identity-provider/contract/factors.ts';
import type { Core } from '#server/core.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { HttpProblem, invalid } from '#server/platform/http/http-problem.ts';
import { createSeal } from '#server/platform/keys/seal.ts';
import { installationSecret } from '#server/platform/database/setting.ts';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import type { AccountMails } from '../account-mails.ts';
import type { Account } from '../accounts.store.ts';
import { createCodes } from './codes.ts';
import { countRecoveryCodes, noteFactorChange, oneTimeCodeOf, passkeysOf } from './factors.store.ts';
import { createPasskeys } from './passkeys.ts';
import { dueAt, readPolicy } from './sign-in-policy.ts';

/** Who adds a factor, and within what: a sign-in, or a session. */
export type Adding = {
  account: Account;
  personId: string;
  name: string;
  actor: Actor;
  network: string | null;
  boundTo: string;
  /** True: only the first factor can be added, since the person has proved no other one. */
  first: boolean;
};

export type Factors = Awaited<ReturnType<typeof createFactors>>;

/** The second factors of accounts: passkeys, one-time codes and recovery codes (SES-10 to SES-12). */
export async function createFactors(core: Core, accountMails: AccountMails, productName: () => string) {
  const { database, clock } = core;
  const parts = { database, clock, productName };
  const passkeys = createPasskeys({
    ...parts,
    publicUrl: core.config.publicUrl,
    secret: await installationSecret(database, 'identity-provider.challenges'),
  });
  const secret = await installationSecret(database, 'identity-provider.factors');
  const codes = createCodes({ ...parts, seal: createSeal(secret, '', 'one-time-codes') });

  /** The factors of an account, and whether it has any that work here. */
  async function of(read: Reader, accountId: string) {
    const own = await passkeysOf(read, { accountId }, passkeys.rpId);
    const codeSince = (await oneTimeCodeOf(read, accountId))?.confirmedAt ?? null;
    const usable = own.filter((one) => one.usable).length;
    return { passkeys: own, usable, codeSince, any: usable > 0 || codeSince !== null };
  }

  /** From when a sign-in of the person insists on a second factor; null: it does not. */
  async function due(read: Reader, account: Account, personId: string): Promise<number | null> {
    const policy = await readPolicy(read);
    const rows = await read
      .selectFrom('person_role')
      .select('role')
      .where('person_id', '=', personId)
      .execute();
    return dueAt(policy, { roles: rows.map(({ role }) => role), createdAt: account.createdAt });
  }

  async function refuseWhereOff(): Promise<void> {
    if ((await readPolicy(database.read)).secondFactor === 'off')
      throw new HttpProblem('CONFLICT', { detail: 'Second factors are switched off here.' });
  }

  return {
    passkeys,
    codes,
    of,
    due,
    recoveryCodesLeft: (accountId: string) => countRecoveryCodes(database.read, accountId),

    /** Begins to add a factor. Throws CONFLICT where that is not possible. */
    async begin({ account, name, boundTo }: Adding, kind: FactorKind): Promise<BegunFactor> {
      await refuseWhereOff();
      if (kind === 'code') return { passkey: null, code: await codes.begin(account) };
      return { passkey: await passkeys.creationOptions(account, name, boundTo), code: null };
    },

    /** Adds the factor that was begun; answers recovery codes where the account has none that work. */
    async add(adding: Adding, factor: FactorToAdd): Promise<string[] | null> {
      const { account, personId, actor, network } = adding;
      await refuseWhereOff();
      const { passkey, code } = factor;
      const accept = passkey === null ? null : await passkeys.accept(account, passkey, adding.boundTo);
      if ((accept === null) === (code === null)) throw invalid('', 'one', 'is to be a passkey or a code');
      return database.change(async (change) => {
        if (adding.first && (await of(change.tx, account.id)).any) throw new HttpProblem('LINK_INVALID');
        await accept?.(change);
        if (code !== null) await codes.confirm(change, account.id, code);
        await noteFactorChange(change, account.id);
        const what = passkey === null ? { kind: 'code' } : { kind: 'passkey', name: passkey.name };
        await recordAudit(change, actor, {
          action: 'factor.add',
          subject: personId,
          after: { ...what, network },
        });
        await accountMails.notifyPerson(change, personId);
        const left = await countRecoveryCodes(change.tx, account.id);
        return left > 0 ? null : codes.renewRecovery(change, account.id);
      });
    },
  };
}

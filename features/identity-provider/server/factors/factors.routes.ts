import type { FastifyRequest } from 'fastify';
import * as contract from '#features/identity-provider/contract/factors.ts';
import { getSignInPolicy, setSignInPolicy } from '#features/identity-provider/contract/sign-in-policy.ts';
import type { Core } from '#server/core.ts';
import type { Change } from '#server/platform/database/database.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { HttpProblem, orNotFound } from '#server/platform/http/http-problem.ts';
import { shownNetwork } from '#server/platform/http/network.ts';
import type { RateLimit } from '#server/platform/http/rate-limit.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { recordAudit, type AuditEntry } from '#features/audit/server/audit.store.ts';
import { requireGivableAgain } from '#features/permissions/server/given-by-token.ts';
import { endSessionsOf, noteProof } from '#features/session/server/session.store.ts';
import type { AccountMails } from '../account-mails.ts';
import { accountIdOf, type Accounts, holderOf } from '../accounts.ts';
import { passwordRemoved, storePasswordHash, type Account } from '../accounts.store.ts';
import type { Factors } from './factors.ts';
import * as store from './factors.store.ts';
import { changePolicy, readPolicy } from './sign-in-policy.ts';

type FactorsRoutesOptions = Pick<Core, 'database' | 'clock'> & {
  accounts: Accounts;
  factors: Factors;
  accountMails: AccountMails;
  publicUrl: string;
  /** Whether mail is configured. */
  sendsMail: boolean;
  /** Limits guesses by network address. */
  limit: RateLimit;
};

type Call = { caller: Caller; request: FastifyRequest };

/** The own factors, the proof that it is still the same person, factors of others, and the policy (SES-10 to SES-13). */
export function factorsRoutes(serve: Serve, options: FactorsRoutesOptions): void {
  const { database, accounts, factors, limit } = options;
  const { passkeys, codes } = factors;

  async function ownAccount(caller: Caller): Promise<Account> {
    const accountId = caller.kind === 'person' ? await accountIdOf(database.read, caller.id) : null;
    return orNotFound(
      accountId === null ? null : await accounts.byId(database.read, accountId),
      'There is no account here that the caller signs in with.',
    );
  }

  const boundTo = ({ sessionId }: Caller): string => `session ${sessionId}`;

  async function adding({ caller, request }: Call) {
    const account = await ownAccount(caller);
    const holder = await holderOf(database.read, account.id);
    const name = `${holder?.firstName ?? ''} ${holder?.lastName ?? ''}`.trim() || account.email;
    const network = shownNetwork(request.ip);
    return {
      account,
      personId: caller.id,
      name,
      actor: caller,
      network,
      boundTo: boundTo(caller),
      first: false,
    };
  }

  /** A change of the own factors, after which no browser is trusted any more. */
  async function changeOwn(
    { caller, request }: Call,
    entry: Pick<AuditEntry, 'action' | 'before'>,
    change: (change: Change, account: Account) => Promise<void>,
  ): Promise<void> {
    const account = await ownAccount(caller);
    await database.change(async (under) => {
      await change(under, account);
      await store.noteFactorChange(under, account.id);
      const after = { network: shownNetwork(request.ip) };
      await recordAudit(under, caller, { ...entry, subject: caller.id, after });
      await options.accountMails.notifyPerson(under, caller.id);
    });
  }

  /** Throws CONFLICT where the account has no password, and the remaining factors do not replace one. */
  async function refuseLast(change: Change, { id, passwordHash }: Account): Promise<void> {
    if (passwordHash !== passwordRemoved) return;
    if (!replacesPassword(await factors.of(change.tx, id)))
      throw new HttpProblem('CONFLICT', {
        detail: 'You have no password. Set one, or add another factor, before you remove this one.',
      });
  }

  serve(contract.getOwnFactors, async ({ caller }) => {
    const account = await ownAccount(caller);
    const policy = await readPolicy(database.read);
    const own = await factors.of(database.read, account.id);
    return {
      hasPassword: account.passwordHash !== passwordRemoved,
      passkeys: own.passkeys,
      codeSince: own.codeSince,
      recoveryCodesLeft: await factors.recoveryCodesLeft(account.id),
      passkeysWork: passkeys.rpId !== null,
      host: new URL(options.publicUrl).hostname,
      policy: policy.secondFactor,
      dueAt: own.any ? null : await factors.due(database.read, account, caller.id),
    };
  });

  serve(contract.beginFactor, async (call) => factors.begin(await adding(call), call.body.kind), {
    limit,
  });

  serve(
    contract.addFactor,
    async (call) => ({ recoveryCodes: await factors.add(await adding(call), call.body) }),
    { limit },
  );

  serve(contract.renamePasskey, async ({ caller, params, body }) => {
    const account = await ownAccount(caller);
    const renamed = await database.transaction((tx) =>
      store.storePasskeyName(tx, account.id, params.passkeyId, body.name),
    );
    if (!renamed) throw new HttpProblem('NOT_FOUND', { detail: 'You have no such passkey.' });
  });

  serve(contract.removePasskey, async (call) => {
    const account = await ownAccount(call.caller);
    const { passkeys: own } = await factors.of(database.read, account.id);
    const { id, name } = orNotFound(
      own.find((one) => one.id === call.params.passkeyId),
      'You have no such passkey.',
    );
    const entry = { action: 'factor.remove', before: { kind: 'passkey', name } } as const;
    await changeOwn(call, entry, async (change) => {
      await store.deletePasskey(change.tx, id);
      await refuseLast(change, account);
      await forgetRecovery(change, account);
    });
  });

  serve(contract.removeOneTimeCodes, async (call) => {
    const entry = { action: 'factor.remove', before: { kind: 'code' } } as const;
    await changeOwn(call, entry, async (change, account) => {
      await store.deleteOneTimeCode(change.tx, account.id);
      await refuseLast(change, account);
      await forgetRecovery(change, account);
    });
  });

  /** Removes the recovery codes when the last factor is removed: without a factor they replace nothing. */
  async function forgetRecovery(change: Change, { id }: Account): Promise<void> {
    const left = await factors.of(change.tx, id);
    if (left.passkeys.length === 0 && left.codeSince === null)
      await store.replaceRecoveryCodes(change.tx, id, []);
  }

  serve(contract.renewRecoveryCodes, async (call) => {
    let fresh: string[] = [];
    await changeOwn(call, { action: 'recovery-codes.renew' }, async (change, { id }) => {
      if (!(await factors.of(change.tx, id)).any)
        throw new HttpProblem('CONFLICT', { detail: 'There is no second factor that they could replace.' });
      fresh = await codes.renewRecovery(change, id);
    });
    return { recoveryCodes: fresh };
  });

  serve(contract.removePassword, async (call) => {
    await changeOwn(call, { action: 'password.remove' }, async (change, { id }) => {
      if (!replacesPassword(await factors.of(change.tx, id)))
        throw new HttpProblem('CONFLICT', {
          detail: 'Two passkeys, or a passkey and one-time codes, have to be there first.',
        });
      await storePasswordHash(change.tx, id, passwordRemoved);
    });
  });

  serve(contract.howToProve, async ({ caller }) => {
    const account = await ownAccount(caller);
    const own = await factors.of(database.read, account.id);
    return {
      passkey: own.usable > 0 ? await passkeys.assertionOptions(boundTo(caller), account.id) : null,
      code: own.codeSince !== null,
      password: !own.any,
    };
  });

  serve(
    contract.prove,
    async ({ caller, body, request }) => {
      const account = await ownAccount(caller);
      const own = await factors.of(database.read, account.id);
      const attempt = { address: request.ip, knownTo: () => caller.sessionId };
      if (!(await isProved())) throw new HttpProblem('UNAUTHENTICATED', { detail: 'That was not right.' });
      await database.transaction((tx) => noteProof(tx, caller.sessionId ?? '', options.clock.now()));

      async function isProved(): Promise<boolean> {
        if (body.by === 'passkey')
          return (await passkeys.check(body.answer, boundTo(caller), account.id)) !== null;
        if (body.by === 'password')
          return !own.any && (await accounts.check(account.email, body.password, attempt)) !== null;
        return accounts.checkCode(
          account,
          attempt,
          async () => (await codes.take(account.id, body.code)) !== null,
        );
      }
    },
    { limit },
  );

  serve(contract.resetFactors, async ({ caller, params: { personId } }) => {
    await database.change(async (change) => {
      const accountId = orNotFound(
        await accountIdOf(change.tx, personId),
        'There is nobody here whose second factors could be removed.',
      );
      await requireGivableAgain(change, caller, personId);
      if (!(await store.deleteFactors(change, accountId)))
        throw new HttpProblem('CONFLICT', { detail: 'This person has no second factor.' });
      await endSessionsOf(change, personId, 'operator');
      await recordAudit(change, caller, { action: 'person.reset-factors', subject: personId });
      await options.accountMails.notifyPerson(change, personId);
    });
  });

  serve(getSignInPolicy, async () => readPolicy(database.read));
  serve(setSignInPolicy, ({ caller, body }) =>
    database.change((change) => changePolicy(change, caller, body, options.sendsMail)),
  );
}

/** Whether there are two factors that are not the same device or app. */
function replacesPassword({ usable, codeSince }: { usable: number; codeSince: number | null }): boolean {
  return usable >= 2 || (usable === 1 && codeSince !== null);
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import * as contract from '#features/identity-provider/contract/factors.ts';
import { submitSignIn, type SecondStep } from '#features/identity-provider/contract/identity-provider.ts';
import type { Core } from '#server/core.ts';
import { nullUnlessStorageFailed } from '#server/platform/database/storage-failure.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { shownNetwork } from '#server/platform/http/network.ts';
import type { RateLimit } from '#server/platform/http/rate-limit.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { hashSecret } from '#server/platform/keys/ids.ts';
import type { Seal } from '#server/platform/keys/seal.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import type { AccountMails } from './account-mails.ts';
import { holderOf, type Accounts, type WrongAttempts } from './accounts.ts';
import type { Account } from './accounts.store.ts';
import type { Adding, Factors } from './factors/factors.ts';
import { readPolicy } from './factors/sign-in-policy.ts';
import type { KnownBrowsers } from './known-browser.ts';

export type SignInRoutesOptions = Pick<Core, 'database' | 'clock' | 'logger' | 'metrics'> & {
  provider(): Promise<Provider>;
  accounts: Accounts;
  factors: Factors;
  browsers: KnownBrowsers;
  /** Browsers that are not asked for a second factor. */
  trusted: KnownBrowsers;
  /** Browsers that have signed in to an account before, whatever its password was. */
  seen: KnownBrowsers;
  accountMails: AccountMails;
  /** Seals what a browser sends to show that it has passed the password. */
  seal: Seal;
  limit: RateLimit;
};

/** How long a person has after the password for the second factor, or to set up one. */
const stepMs = 15 * 60_000;
const daySeconds = 86_400;
/** How long an account is new: its person signs in at once, maybe with other browsers too. */
const newAccountMs = 3_600_000;

type Call = { request: FastifyRequest; reply: FastifyReply; params: { uid: string } };

/** What the sign-in's page calls: password, second factor, passkey, and a first factor (SES-3, SES-10 to SES-12). */
export function signInRoutes(serve: Serve, options: SignInRoutesOptions): void {
  const { database, clock, accounts, factors, browsers, trusted, seen, seal, limit } = options;
  const { passkeys, codes } = factors;
  const countWrong = options.metrics.counter({
    name: 'portico_sign_in_wrong_total',
    help: 'Wrong passwords, passkeys and codes at the sign-in page.',
    label: 'proof',
    values: ['password', 'passkey', 'code'],
  });
  /** Counts a wrong proof, and answers the error to throw for it. */
  function wrong(proof: 'password' | 'passkey' | 'code', detail: string): HttpProblem {
    countWrong(proof);
    return new HttpProblem('UNAUTHENTICATED', { detail });
  }

  /** The sign-in that this browser has under way. Throws LINK_INVALID. */
  async function underWay({ request, reply, params }: Call): Promise<Provider> {
    const provider = await options.provider();
    const interaction = await provider
      .interactionDetails(request.raw, reply.raw)
      .catch(nullUnlessStorageFailed);
    if (interaction?.uid !== params.uid || interaction.prompt.name !== 'login') throw overdue();
    return provider;
  }

  function stepFor(uid: string, account: Account): string {
    const shown = { id: account.id, until: clock.now() + stepMs, password: markOf(account) };
    return seal.seal(JSON.stringify(shown), uid);
  }

  /** The account whose password this sign-in has had; a password change since then ends it. Throws LINK_INVALID. */
  async function accountOf(step: string, uid: string): Promise<Account> {
    const text = seal.open(step, uid);
    const shown =
      text === null ? null : (JSON.parse(text) as { id: string; until: number; password: string });
    const account = shown === null ? null : await accounts.byId(database.read, shown.id);
    if (
      shown === null ||
      account === null ||
      clock.now() >= shown.until ||
      markOf(account) !== shown.password
    )
      throw overdue();
    return account;
  }

  async function finish(call: Call, account: Account, remember = false): Promise<{ next: string }> {
    const provider = await underWay(call);
    const { cookie } = call.request.headers;
    const { rememberDays } = await readPolicy(database.read);
    const isSeen = [seen, browsers].some((known) => known.idOf(cookie, account) !== null);
    if (!isSeen && clock.now() > account.createdAt + newAccountMs)
      await noteNewBrowser(call.request, account);
    call.reply.header('set-cookie', [
      ...seen.remember(cookie, account),
      ...browsers.remember(cookie, account),
      ...(remember && rememberDays > 0 ? trusted.remember(cookie, account, rememberDays * daySeconds) : []),
    ]);
    const result = { login: { accountId: account.id, remember: false } };
    return {
      next: await provider.interactionResult(call.request.raw, call.reply.raw, result, {
        mergeWithLastSubmission: false,
      }),
    };
  }

  async function noteNewBrowser({ ip, headers }: FastifyRequest, { id, email }: Account): Promise<void> {
    const holder = await holderOf(database.read, id);
    if (holder === null) return;
    const { personId } = holder;
    const userAgent = headers['user-agent'];
    await database.change(async (change) => {
      const actor = { kind: 'person', id: personId, name: email, sessionId: null, userAgent } as const;
      const after = { network: shownNetwork(ip) };
      await recordAudit(change, actor, { action: 'person.sign-in', subject: personId, after });
      await options.accountMails.notifyPerson(change, personId);
    });
  }

  /** What the account needs after its password; null: nothing. */
  async function stepAfter(call: Call, account: Account): Promise<SecondStep | null> {
    const own = await factors.of(database.read, account.id);
    const { rememberDays, secondFactor } = await readPolicy(database.read);
    const step = stepFor(call.params.uid, account);
    if (own.any) {
      if (trusted.idOf(call.request.headers.cookie, account, rememberDays * daySeconds) !== null) return null;
      const code = own.codeSince !== null || (await factors.recoveryCodesLeft(account.id)) > 0;
      return { step, kind: 'prove', passkey: own.usable > 0, code, rememberDays };
    }
    const holder = secondFactor === 'required' ? await holderOf(database.read, account.id) : null;
    const dueAt = holder === null ? null : await factors.due(database.read, account, holder.personId);
    if (dueAt === null || clock.now() < dueAt) return null;
    return { step, kind: 'enrol', passkey: passkeys.rpId !== null, code: true, rememberDays: 0 };
  }

  serve(
    submitSignIn,
    async (call) => {
      await underWay(call);
      const { body } = call;
      const account = await accounts.check(body.email, body.password, attemptOf(call));
      if (account === null) throw wrong('password', 'The email address or the password is wrong.');
      const second = await stepAfter(call, account);
      return second === null ? { ...(await finish(call, account)), second } : { next: '', second };
    },
    { limit },
  );

  function attemptOf({ request, reply }: Pick<Call, 'request' | 'reply'>) {
    return {
      address: request.ip,
      knownTo: (account: Account) => browsers.idOf(request.headers.cookie, account),
      onWrong(account: Account, wrong: WrongAttempts) {
        // Recorded after the answer, whose time would otherwise reveal which addresses have an account.
        const note = () => {
          noteWrong(request, account, wrong).catch((error: unknown) =>
            options.logger.error(
              { err: error, accountId: account.id },
              'a failed sign-in is not in the audit',
            ),
          );
        };
        // A client that does not wait for its answer has left already.
        if (reply.raw.destroyed) note();
        else reply.raw.once('close', note);
      },
    };
  }

  async function noteWrong(
    { ip, headers }: FastifyRequest,
    { id }: Account,
    wrong: WrongAttempts,
  ): Promise<void> {
    const holder = await holderOf(database.read, id);
    if (holder === null) return;
    const actor = { kind: 'person', id: null, name: '', userAgent: headers['user-agent'] } as const;
    await database.change((change) =>
      recordAudit(change, actor, {
        action: wrong === 'first' ? 'person.sign-in-failed' : 'person.sign-in-slowed',
        subject: holder.personId,
        after: { network: shownNetwork(ip) },
      }),
    );
  }

  const boundTo = (uid: string): string => `sign-in ${uid}`;

  // Each page asks for a challenge, for autofill, and it helps no guess: so it does not count towards the limit.
  serve(contract.passkeyOptionsAtSignIn, async (call) => {
    await underWay(call);
    const { params, body } = call;
    const account = body.step === null ? null : await accountOf(body.step, params.uid);
    return { options: await passkeys.assertionOptions(boundTo(params.uid), account?.id ?? null) };
  });

  serve(
    contract.signInByPasskey,
    async (call) => {
      await underWay(call);
      const { params, body } = call;
      const known = body.step === null ? null : await accountOf(body.step, params.uid);
      const shown = await passkeys.check(body.answer, boundTo(params.uid), known?.id ?? null);
      const account = shown === null ? null : await accounts.byId(database.read, shown.accountId);
      if (account === null) throw wrong('passkey', 'This passkey opens no account here.');
      return finish(call, account, body.remember);
    },
    { limit },
  );

  serve(
    contract.signInByCode,
    async (call) => {
      await underWay(call);
      const { params, body } = call;
      const account = await accountOf(body.step, params.uid);
      const isRight = async () => (await codes.take(account.id, body.code)) !== null;
      if (!(await accounts.checkCode(account, attemptOf(call), isRight)))
        throw wrong('code', 'The code is wrong, or was used before.');
      return finish(call, account, body.remember);
    },
    { limit },
  );

  /** Only the first factor is added at a sign-in: a person who has one proves it instead. */
  async function adding(call: Call, step: string): Promise<Adding> {
    await underWay(call);
    const { uid } = call.params;
    const account = await accountOf(step, uid);
    const holder = await holderOf(database.read, account.id);
    if (holder === null || (await factors.of(database.read, account.id)).any) throw overdue();
    const userAgent = call.request.headers['user-agent'];
    return {
      account,
      personId: holder.personId,
      name: `${holder.firstName} ${holder.lastName}`.trim() || account.email,
      actor: { kind: 'person', id: holder.personId, name: account.email, sessionId: null, userAgent },
      network: shownNetwork(call.request.ip),
      boundTo: boundTo(uid),
      first: true,
    };
  }

  serve(
    contract.beginFactorAtSignIn,
    async (call) => factors.begin(await adding(call, call.body.step), call.body.kind),
    { limit },
  );

  serve(
    contract.addFactorAtSignIn,
    async (call) => {
      const { step, factor } = call.body;
      const who = await adding(call, step);
      const recoveryCodes = await factors.add(who, factor);
      return { recoveryCodes, ...(await finish(call, who.account)) };
    },
    { limit },
  );
}

function overdue(): HttpProblem {
  return new HttpProblem('LINK_INVALID', {
    detail: 'This sign-in has been open for too long; start again.',
  });
}

/** A value that changes with the password. */
function markOf({ id, passwordHash }: Account): string {
  return hashSecret(`${id} ${passwordHash}`);
}

import {
  acceptInvitation,
  claimSetUp,
  readInvitation,
} from '#features/identity-provider/contract/identity-provider.ts';
import type { Change, Database, Reader } from '#server/platform/database/database.ts';
import { HttpProblem, orNotFound } from '#server/platform/http/http-problem.ts';
import { shownNetwork } from '#server/platform/http/network.ts';
import type { RateLimit } from '#server/platform/http/rate-limit.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { revokeTokensSince } from '#features/api-tokens/server/api-tokens.store.ts';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import type { Mail } from '#features/mail/server/mail.ts';
import type { Administration } from '#features/people/server/administration.ts';
import { setProfileNames } from '#features/profile/server/profile.store.ts';
import { endSessionsOf } from '#features/session/server/session.store.ts';
import type { AccountMails } from './account-mails.ts';
import { holderOf, type Accounts, type Holder, type PreparedPassword } from './accounts.ts';
import { deleteLinksOf, deleteRegistrationsOf, type Account } from './accounts.store.ts';
import { deleteFactorsSince } from './factors/factors.store.ts';
import { mayRegister } from './factors/sign-in-policy.ts';
import type { KnownBrowsers } from './known-browser.ts';
import type { SetUp } from './set-up.ts';

export type IdentityProviderRoutesOptions = {
  database: Database;
  basePath: string;
  accounts: Accounts;
  /** Adds people who register. */
  administration: Pick<Administration, 'addPerson'>;
  browsers: KnownBrowsers;
  accountMails: AccountMails;
  setUp: SetUp;
  /** Sends links; null where mail is not configured. */
  mail: Pick<Mail, 'cancel'> | null;
  /** Limits guesses and tokens by network address, with room for an office. */
  limit: RateLimit;
};

/** What the provider's pages for one-time links call: set-up and invitation (SES-3, START-6). */
export function identityProviderRoutes(serve: Serve, options: IdentityProviderRoutesOptions): void {
  const { database, accounts, browsers, setUp, limit } = options;
  const signInPath = `${options.basePath}/auth/login`;

  serve(
    claimSetUp,
    async ({ body: { token, ...operator }, request }) => {
      await setUp.claim(token, operator, request.headers['user-agent']);
      return { next: signInPath };
    },
    // Checked before the body is read: once set up, the route is gone for every body (START-6).
    { limit, admit: () => setUp.refuseOnceSetUp() },
  );

  /** The account and the person behind a link. Throws LINK_INVALID. */
  async function linked(
    read: Reader,
    token: string,
  ): Promise<Account & { holder: Holder; denies: number | null }> {
    const link = await accounts.byLinkToken(read, token);
    const holder = link === null ? null : await holderOf(read, link.account.id);
    if (link === null || holder === null) throw new HttpProblem('LINK_INVALID');
    return { ...link.account, holder, denies: link.denies };
  }

  /** The address that a link registers, while it may register; null: another link, or the link has ended. */
  async function registering(read: Reader, token: string): Promise<string | null> {
    const email = await accounts.addressOfToken(read, token);
    return email !== null && (await mayRegister(read, email)) ? email : null;
  }

  serve(
    readInvitation,
    async ({ body: { token } }) => {
      const address = await registering(database.read, token);
      if (address !== null)
        return { email: address, firstName: '', lastName: '', hasPassword: false, denies: false };
      const { email, passwordHash, holder, denies } = await linked(database.read, token);
      const { firstName, lastName } = holder;
      return { email, firstName, lastName, hasPassword: passwordHash !== null, denies: denies !== null };
    },
    { limit },
  );

  serve(
    acceptInvitation,
    async ({ body: { token, password, firstName, lastName }, request, reply }) => {
      const names = firstName === undefined || lastName === undefined ? null : { firstName, lastName };
      const address = await registering(database.read, token);
      const { email, holder: owner } =
        address === null ? await linked(database.read, token) : { email: address, holder: null };
      const prepared = await accounts.prepare(password, { email, ...(names ?? owner) });
      const userAgent = request.headers['user-agent'];
      const actorOf = (id: string) =>
        ({ kind: 'person', id, name: email, sessionId: null, userAgent }) as const;
      const account = await database.change(async (change) => {
        const registered = await registering(change.tx, token);
        if (registered !== null) return register(change, registered, names, prepared, actorOf);
        const owned = await linked(change.tx, token);
        const { id, holder, passwordHash, denies } = owned;
        const { personId } = holder;
        await accounts.setPassword(change, id, prepared);
        await options.mail?.cancel(change, id);
        if (names !== null) await setProfileNames(change, personId, names);
        await endSessionsOf(change, personId, 'password', null);
        const actor = actorOf(personId);
        if (denies !== null) {
          await deleteLinksOf(change.tx, id, ['not-me']);
          await deleteFactorsSince(change, id, denies);
          await revokeTokensSince(change, actor, denies);
        }
        const changed = denies === null ? 'password.change' : 'person.not-me';
        const action = passwordHash === null ? 'invitation.accept' : changed;
        const after = { network: shownNetwork(request.ip) };
        await recordAudit(change, actor, { action, subject: personId, after });
        if (action === 'password.change') await options.accountMails.notifyPerson(change, personId);
        return { ...owned, passwordHash: prepared.hash };
      });
      reply.header('set-cookie', browsers.remember(request.headers.cookie, account));
      return { next: signInPath };
    },
    { limit },
  );

  /** Makes the person of an address, with the role that a first sign-in at an outside provider gives (SES-16). */
  async function register(
    change: Change,
    email: string,
    names: { firstName: string; lastName: string } | null,
    password: PreparedPassword,
    actorOf: (id: string) => Actor,
  ): Promise<Account> {
    const draft = { email, ...(names ?? { firstName: '', lastName: '' }), roles: ['member'] };
    const accountId = await accounts.create(change, { email, password });
    const { id } = await options.administration.addPerson(change, draft, accountId);
    await deleteRegistrationsOf(change.tx, email);
    await recordAudit(change, actorOf(id), { action: 'person.register', subject: id, after: draft });
    return orNotFound(await accounts.byId(change.tx, accountId), 'There is no such account.');
  }
}

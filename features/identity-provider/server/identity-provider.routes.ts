import {
  acceptInvitation,
  claimSetUp,
  readInvitation,
} from '#features/identity-provider/contract/identity-provider.ts';
import type { Database, Reader } from '#server/platform/database/database.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { shownNetwork } from '#server/platform/http/network.ts';
import type { RateLimit } from '#server/platform/http/rate-limit.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { revokeTokensSince } from '#features/api-tokens/server/api-tokens.store.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import type { Mail } from '#features/mail/server/mail.ts';
import { setProfileNames } from '#features/profile/server/profile.store.ts';
import { endSessionsOf } from '#features/session/server/session.store.ts';
import type { AccountMails } from './account-mails.ts';
import { holderOf, type Holder, type Accounts } from './accounts.ts';
import { deleteLinksOf, type Account } from './accounts.store.ts';
import { deleteFactorsSince } from './factors/factors.store.ts';
import type { KnownBrowsers } from './known-browser.ts';
import type { SetUp } from './set-up.ts';

export type IdentityProviderRoutesOptions = {
  database: Database;
  basePath: string;
  accounts: Accounts;
  browsers: KnownBrowsers;
  accountMails: AccountMails;
  setUp: SetUp;
  /** Sends links; null where it is not configured. */
  mail: Pick<Mail, 'cancel'> | null;
  /** Brakes guesses and tokens by address, with room for an office. */
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

  serve(
    readInvitation,
    async ({ body }) => {
      const { email, passwordHash, holder, denies } = await linked(database.read, body.token);
      const { firstName, lastName } = holder;
      return { email, firstName, lastName, hasPassword: passwordHash !== null, denies: denies !== null };
    },
    { limit },
  );

  serve(
    acceptInvitation,
    async ({ body: { token, password, firstName, lastName }, request, reply }) => {
      const { email, holder: owner } = await linked(database.read, token);
      const names = firstName === undefined || lastName === undefined ? null : { firstName, lastName };
      const prepared = await accounts.prepare(password, { email, ...(names ?? owner) });
      const account = await database.change(async (change) => {
        const owned = await linked(change.tx, token);
        const { id, holder, passwordHash, denies } = owned;
        const { personId } = holder;
        await accounts.setPassword(change, id, prepared);
        await options.mail?.cancel(change, id);
        if (names !== null) await setProfileNames(change, personId, names);
        await endSessionsOf(change, personId, 'password', null);
        const userAgent = request.headers['user-agent'];
        const actor = { kind: 'person', id: personId, name: email, sessionId: null, userAgent } as const;
        if (denies !== null) {
          await deleteLinksOf(change.tx, id, ['not-me']);
          await deleteFactorsSince(change, id, denies);
          await revokeTokensSince(change, actor, denies);
        }
        const changed = denies === null ? 'password.change' : 'person.not-me';
        const action = passwordHash === null ? 'invitation.accept' : changed;
        const after = { network: shownNetwork(request.ip) };
        await recordAudit(change, actor, { action, subject: personId, after });
        if (action === 'password.change') await options.accountMails.tell(change, personId);
        return { ...owned, passwordHash: prepared.hash };
      });
      reply.header('set-cookie', browsers.remember(request.headers.cookie, account));
      return { next: signInPath };
    },
    { limit },
  );
}

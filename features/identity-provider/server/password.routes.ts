import {
  changePassword,
  forgotPassword,
  issuePasswordLink,
  requestRegistration,
} from '#features/identity-provider/contract/identity-provider.ts';
import type { Core } from '#server/core.ts';
import { HttpProblem, invalid, orNotFound } from '#server/platform/http/http-problem.ts';
import { shownNetwork } from '#server/platform/http/network.ts';
import type { RateLimit } from '#server/platform/http/rate-limit.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import type { NewMail } from '#features/mail/server/mail.store.ts';
import type { Mail } from '#features/mail/server/mail.ts';
import { requireGivableAgain } from '#features/permissions/server/given-by-token.ts';
import type { LinkMails } from './link-mails.ts';
import { endSessionsOf } from '#features/session/server/session.store.ts';
import type { AccountMails } from './account-mails.ts';
import { accountIdOf, holderOf, type Accounts } from './accounts.ts';
import { readPolicy } from './factors/sign-in-policy.ts';
import type { KnownBrowsers } from './known-browser.ts';

export type PasswordRoutesOptions = Pick<Core, 'database' | 'clock'> & {
  accounts: Accounts;
  browsers: KnownBrowsers;
  accountMails: AccountMails;
  isBlocked(personId: string): Promise<boolean>;
  /** Sends links by mail; null where mail is not configured. */
  mail: Pick<Mail, 'add' | 'cancel' | 'wake'> | null;
  linkMail: Pick<LinkMails, 'add' | 'outcome'>;
  /** The address to which a person goes after signing in, from the one that the page sent. */
  placeOf(returnTo: string): string;
  /** Limits guesses by network address, with room for an office. */
  limit: RateLimit;
};

/**
 * The routes for forgotten passwords, for resets with an operator's link, and for password changes (SES-3); and for
 * requests to register (SES-16).
 */
export function passwordRoutes(serve: Serve, options: PasswordRoutesOptions): void {
  const { database, accounts, limit } = options;

  serve(forgotPassword, ({ body, request }) => ask('forgotten', body, request.ip), {
    limit,
    admit: () => void mailOrRefuse(),
  });

  serve(
    requestRegistration,
    ({ body: { returnTo, ...wish }, request }) =>
      ask(
        'registration',
        { ...wish, about: returnTo === undefined ? null : options.placeOf(returnTo) },
        request.ip,
      ),
    {
      limit,
      async admit() {
        const { registrationDomains } = await readPolicy(database.read);
        if (options.mail === null || registrationDomains.length === 0)
          throw new HttpProblem('NOT_FOUND', { detail: 'People are invited here.' });
      },
    },
  );

  /**
   * Whether an account has the address, and whether it may register, is looked up when the mail is sent, so that the
   * answer does not reveal it.
   */
  async function ask(
    kind: 'forgotten' | 'registration',
    wish: Omit<NewMail, 'kind'> & { email: string },
    address: string,
  ): Promise<void> {
    const mail = mailOrRefuse();
    await accounts.countRequest(kind, wish.email, address);
    await database.transaction((tx) => mail.add(tx, { kind, ...wish }, options.clock.now()));
    mail.wake();
  }

  function mailOrRefuse(): NonNullable<typeof options.mail> {
    return orNotFound(options.mail, 'Portico sends no mail here. Ask an operator for a link.');
  }

  serve(issuePasswordLink, async ({ params: { personId }, caller }) => {
    const { mailId, link, expiresAt } = await database.change(async (change) => {
      const accountId = await accountIdOf(change.tx, personId);
      const account = orNotFound(
        accountId === null ? null : await accounts.byId(change.tx, accountId),
        'There is nobody here whose password could be set again.',
      );
      if (account.passwordHash === null || (await options.isBlocked(personId))) {
        throw new HttpProblem('CONFLICT', {
          detail:
            account.passwordHash === null
              ? 'This person has no password yet: send the invitation again.'
              : 'This person is blocked. Let them in again first.',
        });
      }
      await requireGivableAgain(change, caller, personId);
      const renewed = await accounts.renewLink(change, account.id);
      await recordAudit(change, caller, {
        action: 'person.password-link',
        subject: personId,
        after: { expiresAt: renewed.expiresAt },
      });
      return { ...renewed, ...(await options.linkMail.add(change, personId, caller.id)) };
    });
    return { link, expiresAt, mail: await options.linkMail.outcome(mailId) };
  });

  serve(
    changePassword,
    async ({ body, caller, request, reply }) => {
      const accountId = caller.kind === 'person' ? await accountIdOf(database.read, caller.id) : null;
      const account = orNotFound(
        accountId === null ? null : await accounts.byId(database.read, accountId),
        'There is no password here to change.',
      );
      const attempt = { address: request.ip, knownTo: () => caller.sessionId };
      if ((await accounts.check(account.email, body.currentPassword, attempt))?.id !== account.id)
        throw invalid('/currentPassword', 'wrong', 'is not the current password');
      const holder = await holderOf(database.read, account.id);
      const owner = {
        email: account.email,
        firstName: holder?.firstName ?? '',
        lastName: holder?.lastName ?? '',
      };
      const prepared = await accounts.prepare(body.newPassword, owner, '/newPassword');
      await database.change(async (change) => {
        await accounts.setPassword(change, account.id, prepared);
        await options.mail?.cancel(change, account.id);
        await endSessionsOf(change, caller.id, 'password', caller.sessionId);
        const after = { network: shownNetwork(request.ip) };
        await recordAudit(change, caller, { action: 'password.change', subject: caller.id, after });
        await options.accountMails.notifyPerson(change, caller.id);
      });
      // The new password has ended the cookie by which the browser was known, so it is set again.
      reply.header(
        'set-cookie',
        options.browsers.remember(undefined, { ...account, passwordHash: prepared.hash }),
      );
    },
    { limit },
  );
}

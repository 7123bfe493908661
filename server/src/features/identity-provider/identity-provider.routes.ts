import type { Provider } from 'oidc-provider';
import {
  acceptInvitation,
  changePassword,
  claimSetUp,
  forgotPassword,
  issuePasswordLink,
  readInvitation,
  submitSignIn,
} from '@portico/contract/identity-provider';
import type { Clock } from '../../platform/time/clock.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import type { RateLimit } from '../../platform/http/rate-limit.ts';
import { nullUnlessStorageFailed } from '../../platform/database/storage-failure.ts';
import type { Serve } from '../../platform/http/serve.ts';
import { recordAudit } from '../audit/audit.store.ts';
import { identityOf, personByIdentity } from '../directory/people.store.ts';
import type { Mail } from '../mail/mail.ts';
import type { PeopleRoutesOptions } from '../people/people.routes.ts';
import { profileOf, setProfileNames } from '../profile/profile.store.ts';
import { endSessionsOf } from '../session/session.store.ts';
import { embeddedIssuer, type Accounts } from './accounts.ts';
import type { Account } from './accounts.store.ts';
import type { SetUp } from './set-up.ts';

/** Who signs in with an account. */
type Holder = { personId: string; firstName: string; lastName: string };

export type IdentityProviderRoutesOptions = {
  database: Database;
  clock: Clock;
  provider(): Promise<Provider>;
  accounts: Accounts;
  setUp: SetUp;
  isBlocked(personId: string): Promise<boolean>;
  /** Sends links by mail; null where it is not configured. */
  mail: Pick<Mail, 'add' | 'cancel' | 'wake'> | null;
  linkMail: PeopleRoutesOptions['linkMail'];
  /** Brakes guesses and tokens by address, with room for an office. */
  limit: RateLimit;
};

const signInPath = '/auth/login';

/** What the provider's own pages call: sign-in, set-up, invitation (SES-3, START-6). */
export function identityProviderRoutes(serve: Serve, options: IdentityProviderRoutesOptions): void {
  const { database, accounts, setUp, limit } = options;

  serve(
    submitSignIn,
    async ({ params, body, request, reply }) => {
      const provider = await options.provider();
      const interaction = await provider
        .interactionDetails(request.raw, reply.raw)
        .catch(nullUnlessStorageFailed);
      if (interaction?.uid !== params.uid || interaction.prompt.name !== 'login') {
        throw new HttpProblem('LINK_INVALID', {
          detail: 'This sign-in has been open for too long; start again.',
        });
      }
      const accountId = await accounts.check(body.email, body.password);
      if (accountId === null) {
        throw new HttpProblem('UNAUTHENTICATED', { detail: 'The e-mail address or the password is wrong.' });
      }
      const result = { login: { accountId, remember: false } };
      return {
        next: await provider.interactionResult(request.raw, reply.raw, result, {
          mergeWithLastSubmission: false,
        }),
      };
    },
    { limit },
  );

  serve(
    claimSetUp,
    async ({ body: { token, ...operator } }) => {
      await setUp.claim(token, operator);
      return { next: signInPath };
    },
    // Before the body is read: afterwards the route is gone for every body, whatever is wrong with it (START-6).
    { limit, admit: () => setUp.refuseOnceSetUp() },
  );

  /** The account behind a link and who holds it. Throws LINK_INVALID. */
  async function linked(read: Reader, token: string): Promise<Account & { holder: Holder }> {
    const account = await accounts.byLinkToken(read, token);
    const holder = account === null ? null : await holderOf(read, account.id);
    if (account === null || holder === null) throw new HttpProblem('LINK_INVALID');
    return { ...account, holder };
  }

  serve(
    readInvitation,
    async ({ body }) => {
      const { email, passwordHash, holder } = await linked(database.read, body.token);
      const { firstName, lastName } = holder;
      return { email, firstName, lastName, hasPassword: passwordHash !== null };
    },
    { limit },
  );

  serve(
    acceptInvitation,
    async ({ body: { token, password, firstName, lastName } }) => {
      const { email, holder: owner } = await linked(database.read, token);
      const names = firstName === undefined || lastName === undefined ? null : { firstName, lastName };
      const prepared = await accounts.prepare(password, { email, ...(names ?? owner) });
      await database.change(async (change) => {
        const { id, holder, passwordHash } = await linked(change.tx, token);
        await accounts.setPassword(change, id, prepared);
        await options.mail?.cancel(change, id);
        if (names !== null) await setProfileNames(change, holder.personId, names);
        await endSessionsOf(change, holder.personId, 'password', null);
        const actor = { kind: 'person', id: holder.personId, name: email, sessionId: null } as const;
        const action = passwordHash === null ? 'invitation.accept' : 'password.change';
        await recordAudit(change, actor, { action, subject: holder.personId });
      });
      return { next: signInPath };
    },
    { limit },
  );

  serve(
    forgotPassword,
    async ({ body }) => {
      const mail = mailOrRefuse();
      // Whether somebody has the address is looked up when it is sent: until then all is done alike.
      await accounts.takeWish(body.email);
      const wish = { kind: 'forgotten', accountId: null, ...body } as const;
      await database.transaction((tx) => mail.add(tx, wish, options.clock.now()));
      mail.wake();
    },
    { limit, admit: () => void mailOrRefuse() },
  );

  function mailOrRefuse(): NonNullable<typeof options.mail> {
    if (options.mail === null)
      throw new HttpProblem('NOT_FOUND', {
        detail: 'Portico sends no mail here. Ask an operator for a link.',
      });
    return options.mail;
  }

  serve(issuePasswordLink, async ({ params: { personId }, caller }) => {
    const { mailId, link, expiresAt } = await database.change(async (change) => {
      const accountId = await accountIdOf(change.tx, personId);
      const account = accountId === null ? null : await accounts.byId(change.tx, accountId);
      if (account === null)
        throw new HttpProblem('NOT_FOUND', { detail: 'There is nobody with a password here to set anew.' });
      if (account.passwordHash === null || (await options.isBlocked(personId))) {
        throw new HttpProblem('CONFLICT', {
          detail:
            account.passwordHash === null
              ? 'This person has no password yet: send the invitation again.'
              : 'This person is blocked. Let them in again first.',
        });
      }
      const renewed = await accounts.renewLink(change, account.id);
      await recordAudit(change, caller, {
        action: 'person.password-link',
        subject: personId,
        after: { expiresAt: renewed.expiresAt },
      });
      return { ...renewed, mailId: await options.linkMail.add(change, personId, caller.id) };
    });
    return { link, expiresAt, mail: await options.linkMail.outcome(mailId) };
  });

  serve(
    changePassword,
    async ({ body, caller }) => {
      const accountId = caller.kind === 'person' ? await accountIdOf(database.read, caller.id) : null;
      const account = accountId === null ? null : await accounts.byId(database.read, accountId);
      if (account === null)
        throw new HttpProblem('NOT_FOUND', { detail: 'There is no password here to change.' });
      if ((await accounts.check(account.email, body.currentPassword)) !== account.id) {
        const wrong = { pointer: '/currentPassword', code: 'wrong', message: 'is not the current password' };
        throw new HttpProblem('INVALID_BODY', { errors: [wrong] });
      }
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
        await recordAudit(change, caller, { action: 'password.change', subject: caller.id });
      });
    },
    { limit },
  );
}

/** The person of an account, or null. */
async function holderOf(read: Reader, accountId: string): Promise<Holder | null> {
  const personId = await personByIdentity(read, embeddedIssuer, accountId);
  const profile = personId === null ? null : await profileOf(read, personId);
  return profile === null
    ? null
    : { personId: profile.id, firstName: profile.firstName, lastName: profile.lastName };
}

/** The account of a person, or null where the person signs in elsewhere. */
async function accountIdOf(read: Reader, personId: string): Promise<string | null> {
  const identity = await identityOf(read, personId);
  return identity?.issuer === embeddedIssuer ? identity.subject : null;
}

import type { OutsideProviderSettings } from '#server/config.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import { accountStateOf } from '#features/directory/server/people.store.ts';
import { makeOperator } from '#features/people/server/administration.ts';
import { wasSetUp } from '#features/permissions/server/permissions.store.ts';
import type { Identity } from '#features/session/server/identity.ts';

export type FirstOperatorParts = {
  settings: Pick<OutsideProviderSettings, 'operatorEmail'>;
  /** Uses the token of the set-up link up; false where it does not work any more. */
  takeSetUpToken(change: Change, token: string): Promise<boolean>;
};

export type FirstOperator = {
  /** Whether this sign-in may make its person the first operator. */
  isAsked(read: Reader, identity: Identity, setUpToken: string | null): Promise<boolean>;
  /** Whether the address alone would have made them so, and the provider does not vouch for it. */
  isMissed(read: Reader, identity: Identity): Promise<boolean>;
  /** Makes them so, unless another was quicker or they are blocked: a sign-in never recovers a person. */
  settle(change: Change, personId: string, identity: Identity, setUpToken: string | null): Promise<void>;
};

/**
 * Makes the first operator with an outside provider (START-6): the person who signs in through the set-up
 * link, or with the address in OPERATOR_EMAIL, if the provider has verified it.
 */
export function createFirstOperator(parts: FirstOperatorParts): FirstOperator {
  const isNamed = ({ email, emailVerified }: Identity): boolean =>
    emailVerified && email !== '' && email === parts.settings.operatorEmail;

  return {
    isAsked: async (read, identity, setUpToken) =>
      (setUpToken !== null || isNamed(identity)) && !(await wasSetUp(read)),
    isMissed: async (read, { claimedEmail, emailVerified }) =>
      claimedEmail !== '' &&
      claimedEmail === parts.settings.operatorEmail &&
      !emailVerified &&
      !(await wasSetUp(read)),
    async settle(change, personId, identity, setUpToken) {
      if ((await wasSetUp(change.tx)) || (await accountStateOf(change.tx, personId))?.state === 'blocked')
        return;
      const claimed = setUpToken !== null && (await parts.takeSetUpToken(change, setUpToken));
      if (!claimed && !isNamed(identity)) return;
      await makeOperator(change, personId);
      const { email, firstName, lastName, subject } = identity;
      const name = email === '' ? subject : email;
      const actor: Actor = claimed
        ? { kind: 'person', id: personId, name, sessionId: null }
        : { kind: 'start', id: null, name: 'OPERATOR_EMAIL' };
      await recordAudit(change, actor, {
        action: 'set-up.claim',
        subject: personId,
        after: { email, firstName, lastName },
      });
    },
  };
}

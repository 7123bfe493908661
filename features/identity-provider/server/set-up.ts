import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { timingSafeEqual } from 'node:crypto';
import type { Core } from '#server/core.ts';
import type { ChangeFeed } from '#server/platform/database/change-feed.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { hashSecret, newSecret } from '#server/platform/keys/ids.ts';
import { writeWholeFile } from '#server/platform/files/whole-file.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import type { Administration } from '#features/people/server/administration.ts';
import { wasSetUp } from '#features/permissions/server/permissions.store.ts';
import type { Accounts, PreparedPassword } from './accounts.ts';
import { deleteSetUpLinks, insertLink, liveLinks } from './accounts.store.ts';

const tokenLifetimeMs = 24 * 3_600_000;

/** Where the first operator is created. `file` holds the token, for those who see no terminal. */
export type SetUpOffer = { link: string; file: string; expiresAt: number };

export type FirstOperator = { email: string; firstName: string; lastName: string; password: string };

export type SetUp = {
  /** True until there is a first operator; then never again, whatever becomes of them. */
  isOpen(): Promise<boolean>;
  /** Throws NOT_FOUND once there was a first operator. */
  refuseOnceSetUp(): Promise<void>;
  /** Makes sure that there is a working token until there is a first operator; afterwards answers null. */
  offer(): Promise<SetUpOffer | null>;
  /**
   * Creates the first operator and uses the token up, in one transaction (START-6). Throws NOT_FOUND once
   * there was an operator, LINK_INVALID for a wrong or expired token, INVALID_BODY for a common password.
   */
  claim(token: string, operator: FirstOperator, userAgent?: string): Promise<void>;
  /** Checks the token for a sign-in as the first operator. Throws NOT_FOUND once there is one, LINK_INVALID. */
  check(token: string): Promise<void>;
  /**
   * Uses the token up in the change that makes the first operator; false where it does not work (any more).
   */
  take(change: Change, token: string): Promise<boolean>;
  /** Creates the first operator where there was none. Throws INVALID_BODY for a common password. */
  createUnattended(operator: Pick<FirstOperator, 'email' | 'password'>): Promise<void>;
};

export type SetUpOptions = Pick<Core, 'database' | 'clock'> & {
  feed: Pick<ChangeFeed, 'on'>;
  publicUrl: string;
  dataDir: string;
  accounts: Accounts;
  administration: Pick<Administration, 'addPerson'>;
};

export function createSetUp(options: SetUpOptions): SetUp {
  const { database, clock, accounts } = options;
  const file = setUpTokenFile(options.dataDir);
  // The first operator may be made by a sign-in, by the command line, or on another replica.
  options.feed.on('set-up', removeFile);
  const offerOf = (token: string, expiresAt: number): SetUpOffer => ({
    link: `${options.publicUrl}/set-up#${token}`,
    file,
    expiresAt,
  });

  async function linkOf(read: Reader, token: string): Promise<{ expiresAt: number } | null> {
    const hash = hashSecret(token);
    const links = await liveLinks(read, 'set-up', clock.now());
    return links.find((link) => timingSafeEqual(Buffer.from(link.tokenHash), Buffer.from(hash))) ?? null;
  }

  async function refuseOnceSetUp(read: Reader): Promise<void> {
    if (await wasSetUp(read)) throw new HttpProblem('NOT_FOUND', { detail: 'Portico has been set up.' });
  }

  /** Throws NOT_FOUND once there was a first operator, otherwise LINK_INVALID for a wrong or expired token. */
  async function refuseUnlessLink(read: Reader, token: string): Promise<void> {
    // The link is read first: if a claim has taken it by then, the second read sees that claim (NOT_FOUND).
    const link = await linkOf(read, token);
    await refuseOnceSetUp(read);
    if (link === null) throw new HttpProblem('LINK_INVALID');
  }

  async function create(
    change: Change,
    operator: Omit<FirstOperator, 'password'>,
    password: PreparedPassword,
  ): Promise<string> {
    const accountId = await accounts.create(change, { email: operator.email, password });
    await deleteSetUpLinks(change.tx);
    const { id } = await options.administration.addPerson(
      change,
      { ...operator, roles: ['operator'] },
      accountId,
    );
    return id;
  }

  function removeFile(): void {
    rmSync(file, { force: true });
  }

  return {
    isOpen: async () => !(await wasSetUp(database.read)),
    refuseOnceSetUp: () => refuseOnceSetUp(database.read),
    async offer() {
      if (await wasSetUp(database.read)) {
        removeFile();
        return null;
      }
      const stored = readIfThere(file);
      const working = stored === null ? null : await linkOf(database.read, stored);
      if (stored !== null && working !== null) return offerOf(stored, working.expiresAt);

      const token = newSecret();
      const expiresAt = clock.now() + tokenLifetimeMs;
      const link = { tokenHash: hashSecret(token), purpose: 'set-up', accountId: null, expiresAt } as const;
      // Each replica has its own file, and the tokens in the other files stay valid.
      await database.change((change) => insertLink(change, link));
      writeWholeFile(file, `${token}\n`);
      return offerOf(token, expiresAt);
    },
    check: (token) => refuseUnlessLink(database.read, token),
    async take(change, token) {
      if ((await linkOf(change.tx, token)) === null) return false;
      await deleteSetUpLinks(change.tx);
      return true;
    },
    async claim(token, { password, ...operator }, userAgent) {
      await refuseUnlessLink(database.read, token);
      const prepared = await accounts.prepare(password, operator);
      await database.change(async (change) => {
        await refuseUnlessLink(change.tx, token);
        const id = await create(change, operator, prepared);
        const actor = { kind: 'person', id, name: operator.email, sessionId: null, userAgent } as const;
        await recordAudit(change, actor, { action: 'set-up.claim', subject: id, after: operator });
      });
      removeFile();
    },
    async createUnattended({ email, password }) {
      if (await wasSetUp(database.read)) return;
      const operator = { email, firstName: '', lastName: '' };
      const prepared = await accounts.prepare(password, operator);
      await database.change(async (change) => {
        if (await wasSetUp(change.tx)) return;
        const id = await create(change, operator, prepared);
        const actor = { kind: 'start', id: null, name: 'OPERATOR_EMAIL' } as const;
        await recordAudit(change, actor, { action: 'set-up.unattended', subject: id, after: operator });
      });
    },
  };
}

/** Where the token lies until there is a first operator. */
export function setUpTokenFile(dataDir: string): string {
  return join(dataDir, 'set-up-token');
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Change, Database, Reader } from '../../platform/database.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import { hashSecret, newId, newSecret } from '../../platform/ids.ts';
import type { recordAudit } from '../audit/audit.store.ts';
import type { Accounts, PreparedPassword } from './accounts.ts';
import { deleteSetUpLinks, insertLink, liveLinks } from './accounts.store.ts';

const tokenLifetimeMs = 24 * 3_600_000;

/** Where the first operator is created. `file` holds the token, for those who see no terminal. */
export type SetUpOffer = { link: string; file: string; expiresAt: number };

export type FirstOperator = { email: string; firstName: string; lastName: string; password: string };

export type SetUp = {
  /** True while there is no operator. */
  isOpen(): Promise<boolean>;
  /** Sees to it that there is a working token while there is no operator; afterwards answers null. */
  offer(): Promise<SetUpOffer | null>;
  /**
   * Creates the first operator and uses the token up, in one transaction (START-6). Throws NOT_FOUND once there is an
   * operator, LINK_INVALID for a wrong or expired token, INVALID_BODY for a common password.
   */
  claim(token: string, operator: FirstOperator): Promise<void>;
  /** For a sign-in that makes the first operator. Throws NOT_FOUND once there is one, LINK_INVALID for a wrong token. */
  check(token: string): Promise<void>;
  /** Uses the token up in the change that makes the first operator; false where that is not its turn any more. */
  take(change: Change, token: string): Promise<boolean>;
  /** Creates the first operator unattended; does nothing where there is one. Throws INVALID_BODY for a common password. */
  createUnattended(operator: Pick<FirstOperator, 'email' | 'password'>): Promise<void>;
};

export type SetUpOptions = {
  database: Database;
  clock: Clock;
  publicUrl: string;
  dataDir: string;
  accounts: Accounts;
  audit: typeof recordAudit;
  operatorExists(read: Reader): Promise<boolean>;
  /** A person with the role operator, who signs in with that account; answers the person's id. */
  createOperator(
    change: Change,
    operator: Omit<FirstOperator, 'password'> & { accountId: string },
  ): Promise<string>;
};

export function createSetUp(options: SetUpOptions): SetUp {
  const { database, clock, accounts } = options;
  const file = join(options.dataDir, 'set-up-token');
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
    if (await options.operatorExists(read))
      throw new HttpProblem('NOT_FOUND', { detail: 'Portico has been set up.' });
  }

  async function create(
    change: Change,
    operator: Omit<FirstOperator, 'password'>,
    password: PreparedPassword,
  ): Promise<string> {
    const accountId = await accounts.create(change, { email: operator.email, password });
    await deleteSetUpLinks(change.tx);
    return options.createOperator(change, { ...operator, accountId });
  }

  function removeFile(): void {
    rmSync(file, { force: true });
  }

  return {
    isOpen: async () => !(await options.operatorExists(database.read)),
    async offer() {
      if (await options.operatorExists(database.read)) {
        removeFile();
        return null;
      }
      const kept = readIfThere(file);
      const working = kept === null ? null : await linkOf(database.read, kept);
      if (kept !== null && working !== null) return offerOf(kept, working.expiresAt);

      const token = newSecret();
      const expiresAt = clock.now() + tokenLifetimeMs;
      const offered = await database.change(async (change) => {
        if (await options.operatorExists(change.tx)) return false;
        // Replicas each have a file of their own: the tokens in theirs go on working.
        await insertLink(change, {
          tokenHash: hashSecret(token),
          purpose: 'set-up',
          accountId: null,
          expiresAt,
        });
        return true;
      });
      if (!offered) return null;
      writeForOwner(file, `${token}\n`);
      return offerOf(token, expiresAt);
    },
    async check(token) {
      await refuseOnceSetUp(database.read);
      if ((await linkOf(database.read, token)) === null) throw new HttpProblem('LINK_INVALID');
    },
    async take(change, token) {
      if (await options.operatorExists(change.tx)) return false;
      if ((await linkOf(change.tx, token)) === null) return false;
      await deleteSetUpLinks(change.tx);
      return true;
    },
    async claim(token, { password, ...operator }) {
      await refuseOnceSetUp(database.read);
      const refuseUnlessLink = async (read: Reader): Promise<void> => {
        if ((await linkOf(read, token)) === null) throw new HttpProblem('LINK_INVALID');
      };
      await refuseUnlessLink(database.read);
      const prepared = await accounts.prepare(password, operator);
      await database.change(async (change) => {
        await refuseOnceSetUp(change.tx);
        await refuseUnlessLink(change.tx);
        const id = await create(change, operator, prepared);
        const actor = { kind: 'person', id, name: operator.email, sessionId: null } as const;
        await options.audit(change, actor, { action: 'set-up.claim', subject: id, after: operator });
      });
      removeFile();
    },
    async createUnattended({ email, password }) {
      if (await options.operatorExists(database.read)) return;
      const operator = { email, firstName: '', lastName: '' };
      const prepared = await accounts.prepare(password, operator);
      await database.change(async (change) => {
        if (await options.operatorExists(change.tx)) return;
        const id = await create(change, operator, prepared);
        const actor = { kind: 'start', id: null, name: 'OPERATOR_EMAIL' } as const;
        await options.audit(change, actor, { action: 'set-up.unattended', subject: id, after: operator });
      });
    },
  };
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}

/** Whole or absent, and never readable by others, not even for a moment. */
function writeForOwner(file: string, content: string): void {
  const partial = `${file}.${newId()}`;
  writeFileSync(partial, content, { mode: 0o600, flag: 'wx' });
  renameSync(partial, file);
}

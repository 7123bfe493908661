import type { Change, Reader, Writer } from '../../platform/database.ts';
import { hashSecret, newId, newSecret } from '../../platform/ids.ts';
import type { Right } from '@portico/contract/permissions';

/** What every API token's secret begins with, so that people and scanners recognise one. */
export const apiTokenPrefix = 'portico_pat_';

export type NewApiToken = {
  name: string;
  rights: readonly Right[];
  /** The person whose rights bound the token's, or null: the command line. */
  createdBy: string | null;
  /** Milliseconds since the epoch. */
  expiresAt: number;
};

/** A token as it is kept; its secret is not. */
export type StoredApiToken = {
  id: string;
  name: string;
  rights: ReadonlySet<string>;
  createdBy: string | null;
  expiresAt: number;
};

/** Adds a token. Its secret is in the answer and nowhere else: only its hash is stored (SES-9). */
export async function createApiToken(
  change: Change,
  token: NewApiToken,
): Promise<{ id: string; secret: string }> {
  const id = newId();
  const secret = `${apiTokenPrefix}${newSecret()}`;
  await change.tx
    .insertInto('api_token')
    .values({
      id,
      name: token.name,
      secret_hash: hashSecret(secret),
      rights: JSON.stringify([...new Set(token.rights)].toSorted()),
      created_by: token.createdBy,
      created_at: change.at,
      expires_at: token.expiresAt,
      last_used_at: null,
    })
    .execute();
  change.tell('api-tokens', id);
  return { id, secret };
}

export function apiTokenByHash(read: Reader, secretHash: string): Promise<StoredApiToken | null> {
  return readOne(read, 'secret_hash', secretHash);
}

export function apiTokenById(read: Reader, id: string): Promise<StoredApiToken | null> {
  return readOne(read, 'id', id);
}

async function readOne(
  read: Reader,
  column: 'id' | 'secret_hash',
  value: string,
): Promise<StoredApiToken | null> {
  const row = await read.selectFrom('api_token').selectAll().where(column, '=', value).executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id,
    name: row.name,
    rights: new Set(JSON.parse(row.rights) as string[]),
    createdBy: row.created_by,
    expiresAt: row.expires_at,
  };
}

/** How long a recorded use stands for later ones, so that a busy script does not write at each call. */
export const recordUseEveryMs = 60_000;

/** Records a use, at most once a minute over all replicas. */
export async function recordUse(tx: Writer, id: string, at: number): Promise<void> {
  await tx
    .updateTable('api_token')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where((row) =>
      row.or([row('last_used_at', 'is', null), row('last_used_at', '<=', at - recordUseEveryMs)]),
    )
    .execute();
}

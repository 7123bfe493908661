import { randomBytes } from 'node:crypto';
import type * as z from 'zod/mini';
import type {
  ClientKey,
  ClientKeyKind,
  ManagedClientKey,
  renameClientKey as renaming,
} from '#features/flags/contract/flags.ts';
import type { Change, Database, Reader } from '#server/platform/database/database.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import { authorOf, writtenBy } from '#features/directory/server/authors.ts';
import { nextVersion } from '#server/platform/database/sql.ts';
import { HttpProblem, invalid, orNotFound, refuseStale } from '#server/platform/http/http-problem.ts';
import { newId } from '#server/platform/keys/ids.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    client_key: {
      key: string;
      kind: string;
      name: string;
      older_sdks: number;
      /** The decryption key of the SDKs, base64 of 16 bytes, as public as the client key. Null: no encryption. */
      decryption_key: string | null;
      sticky_buckets: number;
      created_at: number;
      /** Null: the key was made at the first start. */
      created_by: string | null;
      created_by_id: string | null;
      revoked_at: number | null;
      revoked_by: string | null;
      revoked_by_id: string | null;
      version: number;
    };
  }
}

/** A client key as stored, without the number of connected clients. */
export type StoredClientKey = Omit<ManagedClientKey, 'connected'>;

const prefixes: Record<ClientKeyKind, string> = {
  plain: 'sdk-',
  'remote-eval': 'sdk-remote-',
  personal: 'sdk-personal-',
};

/** The client keys that every installation has from its first start. */
const firstKeys: { kind: ClientKeyKind; name: string }[] = [
  { kind: 'plain', name: 'SDKs that evaluate' },
  { kind: 'remote-eval', name: 'SDKs with remote evaluation' },
  { kind: 'personal', name: 'Portico itself' },
];

/** The largest number of client keys; enough for one key per application. */
const mostKeys = 100;

function newKey(kind: ClientKeyKind): string {
  return prefixes[kind] + newId().replaceAll(/[-_]/g, 'x');
}

/** The client keys that work. The first start makes them; two replicas that start at once make only one set. */
export async function clientKeys(database: Database): Promise<ClientKey[]> {
  const known = await readWorking(database.read);
  if (known.length > 0) return known;
  await database.change(async (change) => {
    if ((await readWorking(change.tx)).length > 0) return;
    const rows = firstKeys.map(({ kind, name }) => rowOf(change, { kind, name }, null));
    await change.tx.insertInto('client_key').values(rows).execute();
    change.publish('client-keys');
  });
  return readWorking(database.read);
}

async function readWorking(read: Reader): Promise<ClientKey[]> {
  const stored = await readClientKeys(read);
  return stored
    .filter(({ revokedAt }) => revokedAt === null)
    .map(({ key, kind, name, decryptionKey, stickyBuckets }) => ({
      key,
      kind,
      name,
      decryptionKey,
      stickyBuckets,
    }));
}

export type KeyWithPayload = Pick<StoredClientKey, 'key' | 'olderSdks' | 'decryptionKey'>;

/** The working keys that get a payload of their own. */
export async function keysWithPayload(read: Reader): Promise<KeyWithPayload[]> {
  const all = await readClientKeys(read);
  return all
    .filter(
      ({ revokedAt, olderSdks, decryptionKey }) =>
        revokedAt === null && (olderSdks || decryptionKey !== null),
    )
    .map(({ key, olderSdks, decryptionKey }) => ({ key, olderSdks, decryptionKey }));
}

/** Every client key, in the order in which they were made. */
export async function readClientKeys(read: Reader): Promise<StoredClientKey[]> {
  const rows = await read
    .selectFrom('client_key')
    .selectAll()
    .select([
      authorOf('client_key.created_by').as('createdBy'),
      authorOf('client_key.revoked_by').as('revokedBy'),
    ])
    .orderBy('created_at')
    .orderBy('key')
    .execute();
  // The built-in key stays the first of its kind, since it cannot be revoked.
  const builtIn = rows.find(({ kind }) => kind === 'personal')?.key;
  return rows.map((row) => ({
    key: row.key,
    kind: row.kind as ClientKeyKind,
    name: row.name,
    olderSdks: row.older_sdks === 1,
    decryptionKey: row.decryption_key,
    stickyBuckets: row.sticky_buckets === 1,
    builtIn: row.key === builtIn,
    createdAt: row.created_at,
    createdBy: row.createdBy,
    revokedAt: row.revoked_at,
    revokedBy: row.revokedBy,
    version: row.version,
  }));
}

type ClientKeyDraft = { kind: ClientKeyKind; name: string };

function rowOf(change: Change, { kind, name }: ClientKeyDraft, author: Actor | null) {
  return {
    key: newKey(kind),
    kind,
    name,
    older_sdks: 0,
    decryption_key: null,
    sticky_buckets: 0,
    created_at: change.at,
    ...writtenBy('created_by', author),
    revoked_at: null,
    revoked_by: null,
    version: 1,
  };
}

/** Adds a client key and answers it. Throws CONFLICT if there are `mostKeys` keys already. */
export async function addClientKey(change: Change, draft: ClientKeyDraft, actor: Actor): Promise<string> {
  if ((await readWorking(change.tx)).length >= mostKeys) {
    throw new HttpProblem('CONFLICT', {
      detail: `There are ${mostKeys} client keys already. Revoke one first.`,
    });
  }
  const row = rowOf(change, draft, actor);
  await change.tx.insertInto('client_key').values(row).execute();
  change.publish('client-keys', row.key);
  return row.key;
}

/** Answers the key before the change. Throws NOT_FOUND, VERSION_CONFLICT; CONFLICT for a revoked key. */
export async function renameClientKey(
  change: Change,
  key: string,
  { name, olderSdks, encrypted, stickyBuckets, version }: z.infer<typeof renaming.body>,
): Promise<StoredClientKey> {
  const before = await findClientKey(change.tx, key);
  refuseStale(before, version);
  if (before.revokedAt !== null) throw new HttpProblem('CONFLICT', { detail: 'The key was revoked.' });
  for (const [field, asked] of Object.entries({ olderSdks, encrypted }))
    if (asked === true && before.kind !== 'plain')
      throw invalid(`/${field}`, 'invalid', 'is for keys whose SDKs evaluate');
  if (stickyBuckets === true && before.kind !== 'remote-eval')
    throw invalid('/stickyBuckets', 'invalid', 'is for keys of remote evaluation');
  const older = olderSdks ?? before.olderSdks;
  const wasEncrypted = before.decryptionKey !== null;
  const decryptionKey =
    (encrypted ?? wasEncrypted) ? (before.decryptionKey ?? randomBytes(16).toString('base64')) : null;
  await change.tx
    .updateTable('client_key')
    .set({
      name,
      older_sdks: older ? 1 : 0,
      decryption_key: decryptionKey,
      sticky_buckets: (stickyBuckets ?? before.stickyBuckets) ? 1 : 0,
      version: nextVersion,
    })
    .where('key', '=', key)
    .execute();
  change.publish('client-keys', key);
  // Clients with this key get a different payload, which must have a new version.
  if (older !== before.olderSdks || decryptionKey !== before.decryptionKey) change.publish('flags');
  return before;
}

/** Answers null if the key was already revoked. Throws NOT_FOUND; CONFLICT for the key of Portico's web. */
export async function revokeClientKey(
  change: Change,
  key: string,
  actor: Actor,
): Promise<StoredClientKey | null> {
  const before = await findClientKey(change.tx, key);
  if (before.builtIn) {
    throw new HttpProblem('CONFLICT', { detail: "Portico's own screens read with this key." });
  }
  if (before.revokedAt !== null) return null;
  await change.tx
    .updateTable('client_key')
    .set({ revoked_at: change.at, ...writtenBy('revoked_by', actor), version: nextVersion })
    .where('key', '=', key)
    .execute();
  change.publish('client-keys', key);
  return before;
}

/** Throws NOT_FOUND. */
export async function findClientKey(read: Reader, key: string): Promise<StoredClientKey> {
  const all = await readClientKeys(read);
  return orNotFound(
    all.find((one) => one.key === key),
    'There is no such client key.',
  );
}

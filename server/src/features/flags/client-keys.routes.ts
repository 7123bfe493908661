import {
  addClientKey,
  listClientKeys,
  listManagedClientKeys,
  renameClientKey,
  revokeClientKey,
  type ManagedClientKey,
} from '@portico/contract/flags';
import type { Change, Database } from '../../platform/database.ts';
import type { Serve } from '../../platform/serve.ts';
import type { Actor, AuditEntry } from '../audit/audit.store.ts';
import {
  addClientKey as insertClientKey,
  readClientKeys,
  renameClientKey as writeName,
  revokeClientKey as endClientKey,
  type KeptClientKey,
} from './client-keys.store.ts';
import type { LiveFlags } from './live-flags.ts';

export type ClientKeysRoutesOptions = {
  database: Database;
  flags: Pick<LiveFlags, 'keys' | 'connectedWith' | 'caughtUp'>;
  /** Where SDKs find the flags. */
  publicUrl: string;
  recordAudit: (change: Change, actor: Actor, entry: AuditEntry) => Promise<void>;
};

/** The keys with which SDKs read flags: for who connects one, and for who manages them. */
export function clientKeysRoutes(serve: Serve, options: ClientKeysRoutesOptions): void {
  const { database, flags, publicUrl, recordAudit } = options;

  // A key works, or does not, from the answer on.
  async function write<T>(work: (change: Change) => Promise<T>): Promise<T> {
    const written = await database.change(work);
    await flags.caughtUp();
    return written;
  }

  serve(listClientKeys, () => ({ apiHost: publicUrl, clientKeys: [...flags.keys()] }));

  serve(listManagedClientKeys, async () => ({
    apiHost: publicUrl,
    clientKeys: (await readClientKeys(database.read)).map(told),
  }));

  serve(addClientKey, ({ body, caller }) =>
    write(async (change) => {
      const added = await insertClientKey(change, body, caller.name);
      const after = audited(added);
      await recordAudit(change, caller, { action: 'client-key.create', subject: added.key, after });
      return told(added);
    }),
  );

  serve(renameClientKey, ({ params, body, caller }) =>
    write(async (change) => {
      const { before, after } = await writeName(change, params.clientKey, body);
      await recordAudit(change, caller, {
        action: 'client-key.rename',
        subject: after.key,
        before: audited(before),
        after: audited(after),
      });
      return told(after);
    }),
  );

  serve(revokeClientKey, ({ params, caller }) =>
    write(async (change) => {
      const before = await endClientKey(change, params.clientKey, caller.name);
      if (before === null) return;
      await recordAudit(change, caller, {
        action: 'client-key.revoke',
        subject: before.key,
        before: audited(before),
      });
    }),
  );

  function told(kept: KeptClientKey): ManagedClientKey {
    return { ...kept, connected: flags.connectedWith(kept.key) };
  }
}

function audited({ kind, name, version }: KeptClientKey) {
  return { kind, name, version };
}

import * as contract from '#features/flags/contract/flags.ts';
import type { Core } from '#server/core.ts';
import type { Change } from '#server/platform/database/database.ts';
import { namesOf } from '#features/directory/server/people-names.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { versionedRows } from '#features/audit/server/versioned-rows.ts';
import * as store from './client-keys.store.ts';
import type { ConnectedClients, LiveFlags } from './live-flags.ts';
import { healthOf } from './usage-verdict.ts';
import { dayStep, readKeyUsage } from './usage.store.ts';

export type ClientKeysRoutesOptions = Pick<Core, 'database' | 'clock'> & {
  flags: Pick<LiveFlags, 'keys' | 'caughtUp'>;
  connectedClients(): Promise<ConnectedClients>;
  /** Where SDKs find the flags. */
  publicUrl: string;
};

/** Routes for the keys with which SDKs read flags: for people who connect an SDK, and for those who manage keys. */
export function clientKeysRoutes(serve: Serve, options: ClientKeysRoutesOptions): void {
  const { database, clock, flags, connectedClients, publicUrl } = options;

  // The change of a key must be in effect when the answer is sent.
  async function write<T>(work: (change: Change) => Promise<T>): Promise<T> {
    const written = await database.change(work);
    await flags.caughtUp();
    return written;
  }

  serve(contract.listClientKeys, () => ({ apiHost: publicUrl, clientKeys: [...flags.keys()] }));

  serve(contract.listManagedClientKeys, async () => {
    const connected = await connectedClients();
    const clientKeys = (await store.readClientKeys(database.read)).map((key) =>
      withConnections(key, connected),
    );
    const people = clientKeys.flatMap(({ createdBy, revokedBy }) => [createdBy, revokedBy]);
    const usage = await readKeyUsage(database.longReads, clock.now() - 30 * dayStep);
    const health = clientKeys.map(({ key }) => healthOf(key, usage));
    return { apiHost: publicUrl, clientKeys, health, names: await namesOf(database.read, people) };
  });

  serve(contract.addClientKey, ({ body, caller }) =>
    write(async (change) => {
      const subject = await store.addClientKey(change, body, caller);
      return withConnections(
        await stored.recordWrite(change, caller, { action: 'client-key.create', subject }),
        {},
      );
    }),
  );

  serve(contract.renameClientKey, async ({ params, body, caller }) => {
    const connected = await connectedClients();
    return write(async (change) => {
      const before = await store.renameClientKey(change, params.clientKey, body);
      const written = { action: 'client-key.rename', subject: before.key, before } as const;
      return withConnections(await stored.recordWrite(change, caller, written), connected);
    });
  });

  serve(contract.revokeClientKey, ({ params, caller }) =>
    write(async (change) => {
      const before = await store.revokeClientKey(change, params.clientKey, caller);
      if (before === null) return;
      await stored.recordRemoval(change, caller, {
        action: 'client-key.revoke',
        subject: before.key,
        before,
      });
    }),
  );

  function withConnections(
    stored: store.StoredClientKey,
    connected: ConnectedClients,
  ): contract.ManagedClientKey {
    return { ...stored, connected: connected[stored.key] ?? 0 };
  }
}

const stored = versionedRows({
  find: store.findClientKey,
  audited: ({ kind, name, olderSdks, decryptionKey, stickyBuckets, version }) => ({
    kind,
    name,
    olderSdks,
    encrypted: decryptionKey !== null,
    stickyBuckets,
    version,
  }),
});

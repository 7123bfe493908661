import { exportFlags, importFlags, previewImport } from '#features/flags/contract/flag-exchange.ts';
import * as contract from '#features/flags/contract/flags.ts';
import type { Core } from '#server/core.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { applyImport, exportDocument, planImport, stale } from './import-plan.ts';
import type { RecordFlag } from './record-flag.ts';
import { clientsIn, type ConnectedClients, type LiveFlags } from './live-flags.ts';
import { usesOf } from './flag-uses.ts';
import * as store from './flags.store.ts';
import { proposalFor, readProposals, readReview } from './review.store.ts';
import { timeWarnings } from './rules.ts';
import { readVerdicts } from './usage-verdict.ts';
import { readSegments } from './segments.store.ts';

export type FlagsRoutesOptions = Pick<Core, 'database' | 'clock'> & {
  flags: LiveFlags;
  record: RecordFlag;
  /** Clients connected to all processes, by key, without Portico's own pages; all screens show this count. */
  connectedClients(): Promise<ConnectedClients>;
};

/** The routes with which operators manage flags; clients read flags through `flag-wire.routes.ts`. */
export function flagsRoutes(serve: Serve, options: FlagsRoutesOptions): void {
  const { database, clock, flags, record, connectedClients } = options;

  // A read after the answer to a write must see what was written.
  async function write<T>(work: (change: Change) => Promise<T>): Promise<T> {
    const written = await database.change(work);
    await flags.caughtUp();
    return written;
  }

  serve(contract.listFlags, async () => {
    const all = await store.readFlags(database.read);
    const { verdictOf } = await readVerdicts(database.longReads, all, clock.now());
    const proposed = (await readProposals(database.read)).map(({ key }) => key);
    const connected = clientsIn(await connectedClients());
    const archived = await store.countArchivedFlags(database.read);
    return { flags: all, use: all.map(verdictOf), proposed, connected, archived };
  });

  serve(contract.getFlag, async ({ params, caller }) => {
    const all = await store.readFlags(database.read);
    const flag = store.flagIn(all, params.flagKey);
    const connected = await connectedClients();
    const proposal = await proposalFor(database.read, flag.key);
    return {
      ...flag,
      proposal: proposal && { ...proposal, own: proposal.ownerId === caller.id },
      reviewed: (await readReview(database.read)).required,
      warnings: [
        ...store.checkAmong(flag, all, await readSegments(database.read)).warnings,
        ...timeWarnings(flag.rules, clock.now()),
      ],
      usedBy: usesOf(flag.key, all),
      clients: flags.keys().map((key) => ({ ...key, connected: connected[key.key] ?? 0 })),
    };
  });

  serve(contract.listFlagVersions, async ({ params, query }) => {
    const found = await flagVersions(database.longReads, params.flagKey, query.cursor);
    // Throws NOT_FOUND if there has never been such a flag.
    if (found.versions.length === 0) store.flagIn(await store.readFlags(database.read), params.flagKey);
    return found;
  });

  serve(contract.createFlag, ({ body, caller }) =>
    write(async (change) => {
      const after = await store.addFlag(change, body, caller);
      await record(change, caller, 'create', { after }, body);
      return after;
    }),
  );

  serve(contract.updateFlag, ({ params, body, caller }) =>
    write(async (change) => {
      const { before, after } = await store.editFlag(change, params.flagKey, body, caller);
      await record(change, caller, 'update', { before, after }, body);
      return after;
    }),
  );

  serve(contract.switchFlag, ({ params, body, caller }) =>
    write(async (change) => {
      const { before, after } = await store.setFlagEnabled(change, params.flagKey, body, caller);
      await record(change, caller, 'switch', { before, after }, body);
      return after;
    }),
  );

  serve(contract.steerRamp, ({ params, body, caller }) =>
    write(async (change) => {
      const { before, after } = await store.steerRampOf(change, params.flagKey, body, caller);
      await record(change, caller, 'ramp', { before, after }, { ...body, asPlanned: body.action !== 'end' });
      return after;
    }),
  );

  serve(contract.deleteFlag, ({ params, query, caller }) =>
    write(async (change) => {
      const { before, after } = await store.archiveFlag(change, params.flagKey, query.version, caller);
      await record(change, caller, 'archive', { before, after });
    }),
  );

  serve(contract.listArchivedFlags, async () => ({ flags: await store.readArchivedFlags(database.read) }));

  serve(contract.unarchiveFlag, ({ params, body, caller }) =>
    write(async (change) => {
      const { before, after } = await store.takeFromArchive(change, params.flagKey, body.version, caller);
      await record(change, caller, 'unarchive', { before, after });
      return after;
    }),
  );
}

type Said = Pick<contract.FlagVersion, 'note' | 'approvedBy' | 'bypassed'>;

const pageSize = 20;
const actions = ['create', 'update', 'switch', 'ramp', 'guard', 'archive', 'unarchive'].map(
  (what) => `flag.${what}`,
);

/** A flag after each change, the latest first, from the audit; erasing a flag does not shorten it (FLAG-14). */
async function flagVersions(
  read: Reader,
  flagKey: string,
  cursor: number | undefined,
): Promise<{ versions: contract.FlagVersion[]; next: string | null }> {
  const rows = await read
    .selectFrom('audit')
    .select(['id', 'at', 'actor_name', 'after'])
    .where('subject', '=', flagKey)
    .where('action', 'in', actions)
    // No two changes have the same time, so the time serves as cursor.
    .where('at', '<', cursor ?? Number.MAX_SAFE_INTEGER)
    .orderBy('at', 'desc')
    .limit(pageSize + 1)
    .execute();
  const shown = rows.slice(0, pageSize);
  return {
    versions: shown.map(({ id, at, actor_name: by, after }) => {
      const { type, description, defaultValue, enabled, rules, tags, version, ...rest } = JSON.parse(
        after ?? '{}',
      ) as contract.Flag & Said;
      // Entries from before these two members existed do not contain them.
      const { forSignedOut = false, killSwitch = false, ...said } = rest as Partial<contract.Flag & Said>;
      const { note = '', approvedBy = null, bypassed = false } = said;
      return {
        id,
        at,
        by,
        version,
        note,
        approvedBy,
        bypassed,
        flag: { type, description, defaultValue, enabled, forSignedOut, killSwitch, rules, tags },
      };
    }),
    next: rows.length > pageSize ? String(shown.at(-1)?.at) : null,
  };
}

/** Exports and imports all flags and segments. */
export function flagExchangeRoutes(
  serve: Serve,
  { database, flags, record }: Pick<FlagsRoutesOptions, 'database' | 'flags' | 'record'>,
): void {
  serve(exportFlags, () => exportDocument(database.read));

  serve(previewImport, async ({ body }) => {
    const plan = await planImport(database.read, body);
    return {
      ...plan,
      flags: plan.flags.map(({ before, after, state }) => ({
        key: after.key,
        state,
        ...(state === 'changed' && before !== null ? { before } : {}),
        ...(state === 'same' ? {} : { after }),
      })),
      segments: plan.segments.map(({ after: { id, name, size }, state }) => ({ id, name, state, size })),
    };
  });

  serve(importFlags, async ({ body, caller }) => {
    const plan = await planImport(database.read, body);
    if (plan.basis !== body.basis) throw stale();
    const done = await database.change((change) =>
      applyImport(change, body, plan, caller, (within, by, what, flag) =>
        record(within, by, what, flag, body),
      ),
    );
    // Once the answer is sent, clients get the imported flags.
    await flags.caughtUp();
    return done;
  });
}

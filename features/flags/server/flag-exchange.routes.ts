import { exportFlags, importFlags, previewImport } from '#features/flags/contract/flag-exchange.ts';
import type { Database } from '#server/platform/database/database.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { applyImport, exportDocument, planImport, stale } from './import-plan.ts';
import type { LiveFlags } from './live-flags.ts';
import type { RecordFlag } from './record-flag.ts';

/** Exports and imports all flags and segments. */
export function flagExchangeRoutes(
  serve: Serve,
  { database, flags, record }: { database: Database; flags: Pick<LiveFlags, 'caughtUp'>; record: RecordFlag },
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

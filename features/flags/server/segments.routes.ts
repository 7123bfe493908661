import * as contract from '#features/flags/contract/segments.ts';
import type { Change, Database } from '#server/platform/database/database.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { readFlags } from './flags.store.ts';
import type { LiveFlags } from './live-flags.ts';
import { conditionsOf, namedIn, segmentUses } from './segments.ts';
import * as store from './segments.store.ts';

/** The routes of segments, to which rules refer: GrowthBook's saved groups. */
export function segmentsRoutes(
  serve: Serve,
  { database, flags }: { database: Database; flags: Pick<LiveFlags, 'caughtUp'> },
): void {
  // Once the answer is sent, clients get the change.
  async function write<T>(work: (change: Change) => Promise<T>): Promise<T> {
    const written = await database.change(work);
    await flags.caughtUp();
    return written;
  }

  serve(contract.listSegments, async () => {
    const segments = await store.readSegments(database.read);
    const naming = (await readFlags(database.read)).filter(
      ({ rules }) => namedIn(conditionsOf(rules)).length > 0,
    );
    return {
      segments: segments.map((one) => ({
        ...one,
        flags: segmentUses(one.id, naming, segments).filter(({ kind }) => kind === 'flag').length,
      })),
    };
  });

  serve(contract.getSegment, async ({ params: { segmentId } }) => {
    const segment = await store.findSegment(database.read, segmentId);
    const content = segment.kind === 'list' ? await store.contentOf(database.read, segmentId) : [];
    return {
      ...segment,
      values: (content as unknown[]).join('\n'),
      usedBy: segmentUses(segmentId, await readFlags(database.read), await store.readSegments(database.read)),
    };
  });

  serve(contract.createSegment, ({ body, caller }) =>
    write(async (change) => {
      const subject = await store.addSegment(change, body, caller);
      return store.storedSegments.recordWrite(change, caller, { action: 'segment.create', subject });
    }),
  );

  serve(contract.updateSegment, ({ params: { segmentId: subject }, body, caller }) =>
    write(async (change) => {
      const before = await store.editSegment(change, subject, body, await readFlags(change.tx), caller);
      return store.storedSegments.recordWrite(change, caller, { action: 'segment.update', subject, before });
    }),
  );

  serve(contract.deleteSegment, ({ params: { segmentId: subject }, query, caller }) =>
    write(async (change) => {
      const before = await store.removeSegment(change, subject, query.version, await readFlags(change.tx));
      await store.storedSegments.recordRemoval(change, caller, { action: 'segment.delete', subject, before });
    }),
  );
}

import {
  createSegment,
  deleteSegment,
  getSegment,
  listSegments,
  updateSegment,
} from '#features/flags/contract/segments.ts';
import type { Change, Database } from '#server/platform/database/database.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { readFlags } from './flags.store.ts';
import type { LiveFlags } from './live-flags.ts';
import { conditionsOf, namedIn, segmentUses } from './segments.ts';
import {
  addSegment,
  contentOf,
  editSegment,
  findSegment,
  readSegments,
  removeSegment,
  storedSegments,
} from './segments.store.ts';

/** Segments, which rules name: GrowthBook's saved groups. */
export function segmentsRoutes(
  serve: Serve,
  { database, flags }: { database: Database; flags: Pick<LiveFlags, 'caughtUp'> },
): void {
  // Clients have a change at the answer.
  async function write<T>(work: (change: Change) => Promise<T>): Promise<T> {
    const written = await database.change(work);
    await flags.caughtUp();
    return written;
  }

  serve(listSegments, async () => {
    const segments = await readSegments(database.read);
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

  serve(getSegment, async ({ params: { segmentId } }) => {
    const segment = await findSegment(database.read, segmentId);
    const content = segment.kind === 'list' ? await contentOf(database.read, segmentId) : [];
    return {
      ...segment,
      values: (content as unknown[]).join('\n'),
      usedBy: segmentUses(segmentId, await readFlags(database.read), await readSegments(database.read)),
    };
  });

  serve(createSegment, ({ body, caller }) =>
    write(async (change) => {
      const subject = await addSegment(change, body, caller);
      return storedSegments.recordWrite(change, caller, { action: 'segment.create', subject });
    }),
  );

  serve(updateSegment, ({ params: { segmentId: subject }, body, caller }) =>
    write(async (change) => {
      const before = await editSegment(change, subject, body, await readFlags(change.tx), caller);
      return storedSegments.recordWrite(change, caller, { action: 'segment.update', subject, before });
    }),
  );

  serve(deleteSegment, ({ params: { segmentId: subject }, query, caller }) =>
    write(async (change) => {
      const before = await removeSegment(change, subject, query.version, await readFlags(change.tx));
      await storedSegments.recordRemoval(change, caller, { action: 'segment.delete', subject, before });
    }),
  );
}

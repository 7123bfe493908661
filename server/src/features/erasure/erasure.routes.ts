import { Readable } from 'node:stream';
import {
  erasePerson,
  exportPerson,
  exportSizeHeader,
  getRetention,
  previewErasure,
  setRetention,
} from '@portico/contract/erasure';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { RateLimit } from '../../platform/rate-limit.ts';
import type { Serve } from '../../platform/serve.ts';
import { zipStream } from '../../platform/zip-stream.ts';
import type { recordAudit } from '../audit/audit.store.ts';
import type { Erasing } from './erase-person.ts';
import { readPerson } from './erasure.store.ts';
import { exportPerson as exportEntries, type ExportParts } from './export-person.ts';
import { bytesAbout } from './person-data.ts';
import { previewOf, type PreviewParts } from './preview.ts';
import { changeRetention } from './retention.ts';
import { readRetention } from './retention.store.ts';

export type ErasureRoutesOptions = Omit<ExportParts, 'read'> &
  Omit<PreviewParts, 'read'> & {
    database: Database;
    clock: Clock;
    erasing: Erasing;
    recordAudit: typeof recordAudit;
    /** Exports by caller: each reads everything that there is. */
    limit: RateLimit;
  };

export function erasureRoutes(serve: Serve, options: ErasureRoutesOptions): void {
  const { database, clock, erasing } = options;
  // How long they take grows with what a person has left here.
  const { longReads: read } = database;

  serve(previewErasure, async ({ params, caller }) => {
    const preview = await previewOf({ ...options, read }, params.personId, caller.id);
    if (preview === null) throw noSuchPerson();
    return preview;
  });

  serve(erasePerson, ({ params, body, caller }) => erasing.erase(caller, params.personId, body));

  serve(exportPerson, async ({ params: { userId }, caller, request, reply }) => {
    const person = await readPerson(read, userId);
    if (person === null) throw noSuchPerson();
    reply.headers({
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="person-${userId}.zip"`,
      'content-security-policy': "default-src 'none'; sandbox",
      [exportSizeHeader]: String(await bytesAbout(read, userId)),
    });
    reply.type('application/zip');
    if (request.method === 'HEAD') return reply.send(Readable.from([]));
    options.limit.take(caller.id);
    if (caller.id !== userId) {
      await database.change((change) =>
        options.recordAudit(change, caller, { action: 'person.export', subject: userId }),
      );
    }
    const entries = exportEntries({ ...options, read }, userId, { forThemself: caller.id === userId });
    return reply.send(
      Readable.from(zipStream(entries, new Date(clock.now())), {
        objectMode: false,
      }),
    );
  });

  serve(getRetention, () => readRetention(database.read));

  serve(setRetention, ({ body, caller }) =>
    database.change((change) => changeRetention(change, caller, body, options.recordAudit)),
  );
}

function noSuchPerson(): HttpProblem {
  return new HttpProblem('NOT_FOUND', { detail: 'There is no such person.' });
}

import { Readable } from 'node:stream';
import { sql } from 'kysely';
import {
  erasePerson,
  exportPerson,
  exportSizeHeader,
  getRetention,
  previewErasure,
  setRetention,
  type ErasurePreview,
} from '#features/erasure/contract/erasure.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import type { Database, Reader } from '#server/platform/database/database.ts';
import { orNotFound } from '#server/platform/http/refusals.ts';
import type { FileStore } from '#server/platform/files/file-store.ts';
import type { RateLimit } from '#server/platform/http/rate-limit.ts';
import type { Fates } from '#server/platform/database/schema.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { zipStream } from '#server/platform/files/zip-stream.ts';
import { countRows } from '#server/platform/database/count-rows.ts';
import { contains } from '#server/platform/database/search-text.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { lastingManagers } from '#features/permissions/server/last-administrator.ts';
import { type Erasing, confirmationFor, countsOf } from './erase-person.ts';
import { readPerson, addressesOf } from './erasure.store.ts';
import { exportPerson as exportEntries } from './export-person.ts';
import { bytesAbout } from './person-data.ts';
import { changeRetention } from './retention.ts';
import { readRetention } from './retention.store.ts';

type ErasureRoutesOptions = {
  fates: Fates;
  store: Pick<FileStore, 'read'>;
  database: Database;
  clock: Clock;
  erasing: Erasing;
  /** Exports by caller: each reads everything that there is. */
  limit: RateLimit;
};

export function erasureRoutes(serve: Serve, options: ErasureRoutesOptions): void {
  const { database, clock, erasing } = options;
  // How long they take grows with what a person has left here.
  const { longReads: read } = database;

  serve(previewErasure, async ({ params, caller }) => {
    const preview = await previewOf(read, options.fates, clock.now(), params.personId, caller.id);
    return orNotFound(preview, 'There is no such person.');
  });

  serve(erasePerson, ({ params, body, caller }) => erasing.erase(caller, params.personId, body));

  serve(exportPerson, async ({ params: { userId }, caller, request, reply }) => {
    orNotFound(await readPerson(read, userId), 'There is no such person.');
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
        recordAudit(change, caller, { action: 'person.export', subject: userId }),
      );
    }
    const entries = exportEntries(
      {
        store: options.store,
        read,
        onMissing: (name, error) =>
          request.log.error(
            { requestId: request.id, personId: userId, file: name, err: error },
            'a stored file could not be read for the export of a person; the export names it as missing',
          ),
      },
      userId,
      { forThemself: caller.id === userId },
    );
    return reply.send(zipStream(entries, new Date(clock.now())));
  });

  serve(getRetention, () => readRetention(database.read));

  serve(setRetention, ({ body, caller }) =>
    database.change((change) => changeRetention(change, caller, body)),
  );
}

/** What goes and what stays when a person is erased; null where there is no such person. */
async function previewOf(
  read: Reader,
  fates: Fates,
  now: number,
  personId: string,
  callerId: string,
): Promise<ErasurePreview | null> {
  const person = await readPerson(read, personId);
  if (person === null) return null;
  const { erasedReports } = await readRetention(read);
  return {
    email: person.email,
    name: `${person.firstName} ${person.lastName}`.trim(),
    confirmation: confirmationFor(person, personId),
    ...(await countsOf(read, personId)),
    bytes: await bytesAbout(read, personId),
    sessions: await countRows(read.selectFrom('session').where('person_id', '=', personId)),
    apiTokens: await countRows(
      read.selectFrom('api_token').where('created_by', '=', personId).where('revoked_at', 'is', null),
    ),
    auditEntries: await countRows(
      read
        .selectFrom('audit')
        .where((row) => row.or([row('subject', '=', personId), row('actor_id', '=', personId)])),
    ),
    erasedReports,
    flags: await flagsNaming(read, fates.flag['free text'] ?? [], [
      personId,
      ...(await addressesOf(read, personId, person.email)),
    ]),
    hindrance:
      personId === callerId
        ? 'yourself'
        : (await isLastAdministrator(read, now, personId))
          ? 'last-administrator'
          : null,
  };
}

async function isLastAdministrator(read: Reader, now: number, personId: string): Promise<boolean> {
  const lasting = await lastingManagers(read, now, 2);
  return lasting.length === 1 && lasting[0] === personId;
}

async function flagsNaming(
  read: Reader,
  columns: readonly string[],
  words: readonly string[],
): Promise<string[]> {
  const text = sql<string>`lower(${sql.join(
    columns.map((column) => sql.ref(column)),
    sql` || ' ' || `,
  )})`;
  const rows = await read
    .selectFrom('flag')
    .select('key')
    .where((row) => row.or(words.map((word) => contains(text, word.toLowerCase()))))
    .orderBy('key')
    .limit(100)
    .execute();
  return rows.map(({ key }) => key);
}

import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { feature } from '#server/feature.ts';
import type { Core } from '#server/core.ts';
import type { Ground } from '#server/ground.ts';
import type { Fates } from '#server/platform/database/schema.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import * as contract from '#features/erasure/contract/erasure.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { orNotFound } from '#server/platform/http/http-problem.ts';
import { zipStream } from '#server/platform/files/zip-stream.ts';
import { containsInAnyCase, countRows } from '#server/platform/database/sql.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { lastingManagers } from '#features/permissions/server/last-administrator.ts';
import { createErasing, type Erasing, confirmationFor, countsOf } from './erase-person.ts';
import { changeRetention, readRetention, sweepOldReports } from './retention.ts';
import { readPerson, addressesOf } from './erasure.store.ts';
import { exportPerson as exportEntries } from './export-person.ts';
import { bytesAbout } from './person-data.ts';

export const erasureFeature = feature({
  create: createErasure,
  fates: {
    retention: { 'not personal': ['erased_reports'], name: ['changed_by'] },
    erasure: { own: ['person_id', 'pseudonym', 'emails', 'full_name', 'reports'] },
  },
});

/** Erasing a person, their export, and how long reports are stored. */
function createErasure(core: Core, ground: Ground) {
  const erasing = createErasing({
    ...core,
    fates: ground.fates,
    onFailure: (error) => core.logger.error({ err: error }, 'an erasure was interrupted; it goes on later'),
  });
  return {
    /** Continues the erasures that an earlier process began. */
    start: erasing.resume,
    routes: (serve: Serve) => erasureRoutes(serve, core, ground, erasing),
    sweeps: { 'old reports': () => sweepOldReports(core), erasures: erasing.resume },
  };
}

function erasureRoutes(serve: Serve, core: Core, { files, fates }: Ground, erasing: Erasing): void {
  const { database, clock } = core;
  /** Limits exports by caller, since each reads everything that is stored about a person. */
  const limit = core.rateLimit({ burst: 20, perSecond: 1 / 10 });
  // How long they take grows with what a person has left here.
  const { longReads: read } = database;

  serve(contract.previewErasure, async ({ params, caller }) => {
    const preview = await previewOf(read, fates, clock.now(), params.personId, caller.id);
    return orNotFound(preview, 'There is no such person.');
  });

  serve(contract.erasePerson, ({ params, body, caller }) => erasing.erase(caller, params.personId, body));

  serve(contract.exportPerson, async ({ params: { userId }, caller, request, reply }) => {
    orNotFound(await readPerson(read, userId), 'There is no such person.');
    reply.headers({
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="person-${userId}.zip"`,
      'content-security-policy': "default-src 'none'; sandbox",
      [contract.exportSizeHeader]: String(await bytesAbout(read, userId)),
    });
    reply.type('application/zip');
    if (request.method === 'HEAD') return reply.send(Readable.from([]));
    limit.take(caller.id);
    if (caller.id !== userId) {
      await database.change((change) =>
        recordAudit(change, caller, { action: 'person.export', subject: userId }),
      );
    }
    const entries = exportEntries(
      {
        store: files.store,
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

  serve(contract.getRetention, () => readRetention(database.read));

  serve(contract.setRetention, ({ body, caller }) =>
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
): Promise<contract.ErasurePreview | null> {
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
  const text = sql<string>`(${sql.join(
    columns.map((column) => sql.ref(column)),
    sql` || ' ' || `,
  )})`;
  const rows = await read
    .selectFrom('flag')
    .select('key')
    .where((row) => row.or(words.map((word) => containsInAnyCase(text, word))))
    .orderBy('key')
    .limit(100)
    .execute();
  return rows.map(({ key }) => key);
}

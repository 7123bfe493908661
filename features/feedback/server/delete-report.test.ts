import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { listAudit } from '#features/audit/contract/audit.ts';
import { erasePerson } from '#features/erasure/contract/erasure.ts';
import { saveFeedback, type SentReport } from '#features/feedback/contract/feedback.ts';
import { listOwnReports } from '#features/feedback/contract/own-reports.ts';
import { deleteReport, getReport, listReports, setReportStatus } from '#features/feedback/contract/inbox.ts';
import { getFile } from '#features/files/contract/files.ts';
import { getPerson, setBlocked } from '#features/people/contract/people.ts';
import { getProfile, updateProfile } from '#features/profile/contract/profile.ts';
import { describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { dump } from '#server/testing/dump.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { openLive } from '#server/testing/live-events.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import { pngFile } from '#server/testing/png.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import { deleteReport as removeOne } from './erase-from-reports.ts';

const picture = (width: number) => ({
  data: pngFile({ width, height: 2 }).toString('base64'),
  filename: 'a.png',
  contentType: 'image/png',
});
const report: SentReport = {
  message: 'The unmistakable pump is silent.',
  name: 'Ada King',
  email: 'ada@example.org',
};

describe.each(engines)('deleting a report on %s', (engine) => {
  const once = provedOn(engine);
  async function start(clock = movableClock()) {
    const app = await startApp({ engine, clock, config: { feedbackWithoutSignIn: true } });
    const operator = await signIn(app, { roles: ['operator'] });
    const ada = await signIn(app, { roles: ['member'] });
    const send = async (body: SentReport, as: SignedIn | null = ada) =>
      (as === null ? await app.call(saveFeedback, { body }) : await as.call(saveFeedback, { body })).body;
    const read = async (reportId: string) => operator.call(getReport, { params: { reportId } });
    const remove = (reportId: string) => operator.call(deleteReport, { params: { reportId } });
    const own = async () =>
      (await ada.call(listOwnReports, { params: { userId: 'current' } })).body.reports.map(
        ({ number }) => number,
      );
    return { app, clock, operator, ada, send, read, remove, own };
  }

  const contents = ({ place, database }: TestApp) =>
    engine === 'sqlite'
      ? Promise.resolve(
          readdirSync(join(place.dataDir, 'files'), { recursive: true, withFileTypes: true }).filter(
            (entry) => entry.isFile(),
          ).length,
        )
      : database.read
          .selectFrom('file_chunk')
          .select('hash')
          .distinct()
          .execute()
          .then((rows) => rows.length);

  it('BUG-8: takes its text, pictures and history away, and its number is not given again', async () => {
    const { app, clock, operator, ada, send, read, remove, own } = await start();
    const other = await send({ message: 'Another', attachments: [picture(1)] });
    const gone = await send({ ...report, attachments: [picture(2), picture(3)] });
    await operator.call(setReportStatus, {
      params: { reportId: gone.id },
      body: { status: 'triaged', version: 1 },
    });
    const files = (await read(gone.id)).body.attachments.map(({ id }) => id);
    const hers = await openLive(app, ada.accessToken);
    const away = await openLive(app, ada.accessToken);
    away.close();

    expect((await remove(gone.id)).status).toBe(204);
    expect((await hers.until(3)).slice(2)).toEqual([{ type: 'reports-gone' }]);
    const back = await openLive(app, ada.accessToken, { seen: away.lastId() });
    expect((await back.until(3)).map(({ type }) => type)).toEqual(['hello', 'reports-gone', 'maintenance']);
    expect(await own()).toEqual([other.number]);
    expect((await read(gone.id)).problem?.code).toBe('NOT_FOUND');
    for (const fileId of files)
      expect((await operator.call(getFile, { params: { fileId } })).status).toBe(404);
    expect((await operator.call(listReports, { query: { search: 'unmistakable' } })).body.total).toBe(0);
    const again = await remove(gone.id);
    expect([again.status, again.problem?.code]).toEqual([404, 'NOT_FOUND']);
    expect(JSON.stringify(await dump(app.database))).not.toMatch(/unmistakable|ada king/i);

    expect(await contents(app)).toBe(3);
    clock.move(2 * 3_600_000);
    await app.sweep();
    expect(await contents(app)).toBe(1);
    expect((await send({ message: 'The next' }, null)).number).toBe(gone.number + 1);
  });

  it.each(once)('AUD-1: is in the audit by its number, without its text', async () => {
    const { operator, send, remove } = await start();
    const { id, number } = await send({ ...report, attachments: [picture(2)] });
    await operator.call(setReportStatus, { params: { reportId: id }, body: { status: 'spam', version: 1 } });
    await remove(id);
    const { body, text } = await operator.call(listAudit, { query: { subject: id } });
    expect(text).not.toMatch(/unmistakable|ada king|ada@/i);
    expect(
      body.entries.map(({ action, subject, before, after }) => ({ action, subject, before, after })),
    ).toEqual([
      {
        action: 'report.delete',
        subject: { kind: 'report', id, nameNow: `#${number}`, there: false },
        before: { number, status: 'spam', createdAt: expect.any(Number), pictures: 1 },
        after: null,
      },
      {
        action: 'report.status',
        subject: { kind: 'report', id, nameNow: `#${number}`, there: false },
        before: { status: 'new' },
        after: { status: 'spam' },
      },
    ]);
  });

  it.each(once)('BUG-8: works for reports of people blocked, erased, or not signed in', async () => {
    const { app, operator, send, remove } = await start();
    const [blocked, erased] = [await signIn(app), await signIn(app)];
    const reports = [
      await send({ message: 'a', attachments: [picture(1)] }, null),
      await send({ message: 'b', attachments: [picture(1)] }, blocked),
      await send({ message: 'c', attachments: [picture(1)] }, erased),
    ];
    const { version } = (await operator.call(getPerson, { params: { personId: blocked.id } })).body;
    await operator.call(setBlocked, { params: { personId: blocked.id }, body: { blocked: true, version } });
    const body = { confirmation: erased.email, reports: 'keep' } as const;
    expect((await operator.call(erasePerson, { params: { personId: erased.id }, body })).status).toBe(200);
    for (const { id } of reports) expect((await remove(id)).status).toBe(204);
    for (const table of ['report', 'report_history', 'report_picture', 'file'] as const)
      expect([table, await app.database.read.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
  });

  it('FILE-1: a picture that is the reporter’s own picture too stays theirs', async () => {
    const { app, ada, send, read, remove } = await start();
    const { id } = await send({ message: 'x', attachments: [picture(4)] });
    const [avatar] = (await read(id)).body.attachments;
    const { locale: _none, ...profile } = (await ada.call(getProfile, { params: { userId: 'current' } }))
      .body;
    const answer = await ada.call(updateProfile, {
      params: { userId: 'current' },
      body: { ...profile, locale: null, avatar: avatar?.id ?? '' },
    });
    expect(answer.status).toBe(200);
    await remove(id);
    expect((await ada.call(getFile, { params: { fileId: avatar?.id ?? '' } })).status).toBe(200);
    expect(await app.database.read.selectFrom('report').select('id').execute()).toEqual([]);
  });

  it('RUN-5: leaves everything as it was where it does not come to its end', async () => {
    const { app, ada, send } = await start();
    const { id } = await send({ ...report, attachments: [picture(2)] });
    const before = await dump(app.database);
    const broken = app.database.change(async (change) => {
      const actor = { kind: 'person', id: ada.id, name: ada.email, sessionId: null } as const;
      await removeOne(change, actor, id);
      throw new Error('killed');
    });
    await expect(broken).rejects.toThrow('killed');
    expect(await dump(app.database)).toEqual(before);
  });

  it.each(once)('RIGHT-8: needs REPORTS_DELETE, which support does not have', async () => {
    const { app, ada, send } = await start();
    const { id } = await send(report);
    const support = await signIn(app, { roles: ['support'] });
    for (const person of [support, ada])
      expect((await person.call(deleteReport, { params: { reportId: id } })).problem?.code).toBe(
        'RIGHT_MISSING',
      );
    const accessToken = await addToken(app, { rights: ['REPORTS_DELETE'] });
    expect((await app.call(deleteReport, { params: { reportId: id } }, { accessToken })).status).toBe(204);
  });
});

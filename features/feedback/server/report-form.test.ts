import { listAudit } from '#features/audit/contract/audit.ts';
import {
  emptyMessage,
  getReportForm,
  saveFeedback,
  type SentReport,
} from '#features/feedback/contract/feedback.ts';
import { setReportForm } from '#features/feedback/contract/inbox.ts';
import { describe, expect, it } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { oneEngine } from '#server/testing/fresh-database.ts';
import { openLive } from '#server/testing/live-events.ts';
import { addToken } from '#server/testing/people.ts';
import { pngFile } from '#server/testing/png.ts';
import { signIn } from '#server/testing/signed-in.ts';

const attachments = [
  { data: pngFile({ width: 2, height: 2 }).toString('base64'), filename: 'a.png', contentType: 'image/png' },
];

describe.each(oneEngine)('what a report has to have, on %s', (engine) => {
  async function start() {
    const app = await startApp({ engine, config: { feedbackWithoutSignIn: true } });
    const operator = await signIn(app, { roles: ['operator'] });
    const ada = await signIn(app, { roles: ['member'] });
    const anonymous = (body: SentReport) => app.call(saveFeedback, { body });
    const signedIn = (body: SentReport) => ada.call(saveFeedback, { body });
    const ask = async (nameRequired: boolean, emailRequired: boolean) => {
      const { version } = (await operator.call(getReportForm, {})).body;
      return operator.call(setReportForm, { body: { nameRequired, emailRequired, version } });
    };
    return { app, operator, ada, anonymous, signedIn, ask };
  }
  const outcome = ({
    status,
    problem,
  }: Awaited<ReturnType<Awaited<ReturnType<typeof start>>['anonymous']>>) =>
    [
      status,
      problem?.code,
      problem?.detail,
      problem?.errors?.map(({ pointer, code }) => `${pointer} ${code}`).join(),
    ].filter((part) => part !== undefined);

  it('BUG-2: a message in which nothing can be seen is refused in these words, from any sender', async () => {
    const { app, anonymous, signedIn } = await start();
    const blank = [
      '',
      '  ',
      '\n\t\r',
      '\u2028',
      '\u00a0\u3000',
      '\u200b\u200d\ufeff',
      '\u0000\u202e',
      '\u2800\u3164',
    ];
    for (const send of [anonymous, signedIn]) {
      for (const message of blank)
        expect([message, outcome(await send({ message }))]).toEqual([
          message,
          [422, 'EMPTY_MESSAGE', emptyMessage, '/message too_small'],
        ]);
      expect(outcome(await send({} as SentReport))).toEqual([
        422,
        'EMPTY_MESSAGE',
        emptyMessage,
        '/message required',
      ]);
      // It is reported first, whatever else is wrong.
      expect(outcome(await send({ message: ' ', email: 'nowhere' })).slice(0, 3)).toEqual([
        422,
        'EMPTY_MESSAGE',
        emptyMessage,
      ]);
      expect(outcome(await send({ message: null } as never)).slice(0, 2)).toEqual([422, 'INVALID_BODY']);
      expect((await send({ message: '\u200b.', email: '  ' })).status).toBe(201);
    }
    expect(emptyMessage).toBe('Unable to submit feedback with empty message');
    expect(await app.database.read.selectFrom('report').select('message').distinct().execute()).toEqual([
      { message: '\u200b.' },
    ]);
  });

  it('BUG-2: name and email are required from the change on, for people who are signed in and who are not', async () => {
    const { app, operator, anonymous, signedIn, ask } = await start();
    const eventId = 'e'.repeat(32);
    const before: SentReport = { message: 'x', eventId, attachments };
    const stored = await signedIn(before);
    expect(stored.status).toBe(201);
    expect((await ask(true, true)).body).toEqual({ nameRequired: true, emailRequired: true, version: 2 });
    for (const send of [anonymous, signedIn]) {
      const prefix = 'Please enter in the following required fields: ';
      expect(outcome(await send({ message: 'x', attachments }))).toEqual([
        422,
        'FIELDS_REQUIRED',
        `${prefix}Email, Name`,
        '/email required,/name required',
      ]);
      expect(outcome(await send({ message: 'x', email: 'a@example.org', name: '\u200b \u00a0' }))).toEqual([
        422,
        'FIELDS_REQUIRED',
        `${prefix}Name`,
        '/name required',
      ]);
      expect((await send({ message: 'x', email: 'a@example.org', name: 'Ada' })).status).toBe(201);
    }
    // A report that was stored before is answered as it was then.
    expect(await signedIn(before)).toMatchObject({ status: 201, body: stored.body });
    await ask(false, true);
    expect((await signedIn({ message: 'x', email: 'a@example.org' })).status).toBe(201);
    expect(outcome(await anonymous({ message: 'x' }))).toContain('FIELDS_REQUIRED');
    // Of what was refused no picture stays.
    expect(await app.database.read.selectFrom('file').select('id').execute()).toHaveLength(1);

    const { entries } = (await operator.call(listAudit, { query: { area: 'report' } })).body;
    expect(entries.map(({ action, before: was, after }) => [action, was, after])).toEqual([
      [
        'report.set-form',
        { nameRequired: true, emailRequired: true },
        { nameRequired: false, emailRequired: true },
      ],
      [
        'report.set-form',
        { nameRequired: false, emailRequired: false },
        { nameRequired: true, emailRequired: true },
      ],
    ]);
  });

  it('BUG-2: every browser learns of a change at once, and one that was away when it reconnects', async () => {
    const { app, ada, operator, ask } = await start();
    const [hers, away] = [await openLive(app, ada.accessToken), await openLive(app, operator.accessToken)];
    away.close();
    await ask(true, false);
    expect((await hers.until(3)).slice(2)).toEqual([{ type: 'report-form' }]);
    const back = await openLive(app, operator.accessToken, { seen: away.lastId() });
    expect((await back.until(3)).map(({ type }) => type)).toEqual(['hello', 'report-form', 'maintenance']);
    // The same again is no change.
    await ask(true, false);
    await ask(false, false);
    expect((await hers.until(4)).slice(3)).toEqual([{ type: 'report-form' }]);
  });

  it('RIGHT-8: is read by those who may send one, and set with SETTINGS_WRITE, one after the other', async () => {
    const { app, ada, operator } = await start();
    const body = { nameRequired: true, emailRequired: false, version: 1 };
    expect((await app.call(getReportForm, {})).body).toEqual({
      nameRequired: false,
      emailRequired: false,
      version: 1,
    });
    expect((await ada.call(setReportForm, { body })).problem?.code).toBe('RIGHT_MISSING');
    const accessToken = await addToken(app, { rights: ['SETTINGS_WRITE'] });
    const race = await Promise.all([
      operator.call(setReportForm, { body }),
      app.call(setReportForm, { body }, { accessToken }),
    ]);
    expect(race.map(({ status, problem }) => problem?.code ?? String(status)).toSorted()).toEqual([
      '200',
      'VERSION_CONFLICT',
    ]);
    const closed = await startApp({ engine });
    expect((await closed.call(getReportForm, {})).status).toBe(401);
  });
});

import { addProject } from '#features/diagnostics/contract/projects.ts';
import { describe, expect, it } from 'vitest';
import { movableClock } from '#server/testing/movable-clock.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import {
  envelopeOf,
  errorEnvelope,
  feedbackEnvelope,
  newEventId,
  ownProjectKey,
  sendEnvelope,
  type SentItem,
} from '#server/testing/envelopes.ts';
import { oneEngine } from '#server/testing/fresh-database.ts';
import { addToken } from '#server/testing/people.ts';
import { pngFile } from '#server/testing/png.ts';
import { signIn } from '#server/testing/signed-in.ts';

const reportsOf = (app: TestApp) =>
  app.database.read.selectFrom('report').selectAll().orderBy('number').execute();

const picture = () => pngFile({ width: 4, height: 4, pixels: Buffer.alloc(64, 9) });

describe.each(oneEngine)('feedback about Portico itself on %s', (engine) => {
  it('BUG-6, DIAG-2: is refused of strangers, whatever name they give, with pictures or without', async () => {
    const app = await startApp({ engine });
    const key = await ownProjectKey(app);
    const feedback = { message: 'Pay here.', name: 'Olga Operator', contact_email: 'operator@example.org' };
    const older = {
      event_id: newEventId(),
      name: 'Olga Operator',
      email: 'operator@example.org',
      comments: 'Pay here.',
    };
    const envelopes = [
      feedbackEnvelope(newEventId(), feedback),
      feedbackEnvelope(newEventId(), feedback, picture()),
      envelopeOf({}, [{ header: { type: 'user_report' }, payload: older }]),
    ];
    const token = await addToken(app, { rights: ['REPORTS_WRITE'] });
    for (const headers of [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: `Bearer ${token}` },
      { 'x-portico': '1' },
    ]) {
      for (const envelope of envelopes) {
        const answer = await sendEnvelope(app.url, key, envelope, { headers });
        expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'SIGN_IN_NEEDED' }]);
        expect(answer.headers.get('x-sentry-error')).toMatch(/signed in/);
        const dsn = `${app.url.replace('//', `//${key}@`)}/1`;
        const tunnelled = Buffer.concat([
          Buffer.from(`${JSON.stringify({ dsn })}\n`),
          envelope.subarray(envelope.indexOf(10) + 1),
        ]);
        const faults = await fetch(`${app.url}/v1/faults`, { method: 'POST', body: tunnelled, headers });
        expect([faults.status, await faults.json()]).toMatchObject([403, { code: 'SIGN_IN_NEEDED' }]);
      }
    }
    expect(await reportsOf(app)).toEqual([]);
    // Errors of the sign-in page are still taken.
    expect((await sendEnvelope(app.url, key, errorEnvelope())).status).toBe(200);
  });

  it('BUG-6, DIAG-2: has the name and the address of the person who is signed in', async () => {
    const app = await startApp({ engine });
    const key = await ownProjectKey(app);
    const { id, accessToken } = await signIn(app, {
      email: 'mia@example.org',
      firstName: 'Mia',
      lastName: 'Tanaka',
    });
    const feedback = { message: 'It is slow.', name: 'Olga Operator', contact_email: 'operator@example.org' };
    const headers = { authorization: `Bearer ${accessToken}` };
    const sent = await sendEnvelope(app.url, key, feedbackEnvelope(newEventId(), feedback, picture()), {
      headers,
    });
    expect(sent.status).toBe(200);
    expect(await reportsOf(app)).toMatchObject([
      { message: 'It is slow.', name: 'Mia Tanaka', email: 'mia@example.org', reporter_id: id },
    ]);
    const files = await app.database.read.selectFrom('file').select('owner').execute();
    expect(files).toEqual([{ owner: id }]);
  });

  it('DIAG-2: of another project is taken with its key alone', async () => {
    const app = await startApp({ engine });
    const accessToken = await addToken(app, { rights: ['SETTINGS_WRITE'] });
    const project = (await app.call(addProject, { body: { name: 'Shop' } }, { accessToken })).body;
    const key = project.keys[0]?.key ?? '';
    // On PostgreSQL the new key reaches the intake a moment later.
    const envelope = feedbackEnvelope(newEventId(), { message: 'It is slow.' });
    const send = async () => (await sendEnvelope(app.url, key, envelope, { project: project.id })).status;
    await expect.poll(send).toBe(200);
  });
});

describe('feedback of SDKs', () => {
  it('DIAG-2: lands in the inbox with its picture, once however often it is sent', async () => {
    const app = await startApp({ engine: 'sqlite', config: { feedbackWithoutSignIn: true } });
    const key = await ownProjectKey(app);
    const [eventId, errorId] = [newEventId(), newEventId()];
    const feedback = {
      message: ' The cart is empty.\r\n<b>Why?</b>\u0000 ',
      name: 'Mia',
      contact_email: 'Mia@Example.org',
      url: 'https://shop.example.org/cart?token=secret&page=2',
      associated_event_id: errorId,
      source: 'widget',
    };
    for (let round = 0; round < 2; round += 1) {
      const sent = await sendEnvelope(app.url, key, feedbackEnvelope(eventId, feedback, picture()));
      expect([sent.status, await sent.json()]).toEqual([200, { id: eventId }]);
    }
    const [report, ...others] = await reportsOf(app);
    expect(others).toEqual([]);
    expect(report).toMatchObject({
      event_id: eventId,
      source: 'sentry',
      name: 'Mia',
      email: 'mia@example.org',
      message: 'The cart is empty.\n<b>Why?</b>',
      url: 'https://shop.example.org/cart?token=[Filtered]&page=2',
      associated_event_id: errorId,
      reporter_id: null,
    });
    expect(JSON.parse(report?.tags ?? '')).toEqual({ screen: 'cart', environment: 'production' });
    expect(JSON.parse(report?.context ?? '')).toEqual({
      release: 'shop@1.0.0',
      browser: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0',
      time: 1_764_000_000_500,
    });
    const shown = await app.database.read
      .selectFrom('report_picture')
      .select('file_id')
      .executeTakeFirstOrThrow();
    const accessToken = await addToken(app, { rights: ['REPORTS_READ'] });
    const file = await fetch(`${app.url}/v1/files/${shown.file_id}`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    expect(Buffer.from(await file.arrayBuffer())).toEqual(picture());
  });

  it('DIAG-2: of older SDKs, and with an address that is none, loses nothing', async () => {
    const app = await startApp({ engine: 'sqlite', config: { feedbackWithoutSignIn: true } });
    const key = await ownProjectKey(app);
    const errorId = newEventId();
    const older = { event_id: errorId, name: 'Mia', email: 'mia', comments: 'It broke.' };
    const envelope = envelopeOf({ event_id: errorId }, [{ header: { type: 'user_report' }, payload: older }]);
    expect((await sendEnvelope(app.url, key, envelope)).status).toBe(200);
    expect((await sendEnvelope(app.url, key, envelope)).status).toBe(200);
    expect(await reportsOf(app)).toMatchObject([
      {
        message: 'It broke.',
        name: 'Mia',
        email: '',
        tags: '{"contact":"mia"}',
        associated_event_id: errorId,
      },
    ]);
  });

  it('DIAG-2: is never answered as stored where it is not', async () => {
    const app = await startApp({ engine: 'sqlite', config: { feedbackWithoutSignIn: true } });
    const key = await ownProjectKey(app);
    const refusal = async (body: Buffer<ArrayBuffer>) => {
      const answer = await sendEnvelope(app.url, key, body);
      expect(answer.headers.get('x-sentry-error')).not.toBeNull();
      return [answer.status, ((await answer.json()) as { code: string }).code];
    };
    expect(await refusal(feedbackEnvelope(newEventId(), { message: ' \u0000\u200b ' }))).toEqual([
      400,
      'BAD_ENVELOPE',
    ]);
    // Other items of the envelope do not replace the missing message.
    const besides = envelopeOf({}, [
      { header: { type: 'session' }, payload: {} },
      { header: { type: 'feedback' }, payload: { contexts: { feedback: {} } } },
      { header: { type: 'attachment', filename: 'a.png' }, payload: picture() },
    ]);
    expect(await refusal(besides)).toEqual([400, 'BAD_ENVELOPE']);
    expect(await refusal(envelopeOf({}, [{ header: { type: 'feedback' }, payload: {} }]))).toEqual([
      400,
      'BAD_ENVELOPE',
    ]);
    expect(await reportsOf(app)).toEqual([]);
    // No limit has been reached: the SDK must not be told to send no feedback for a minute.
    const alone = envelopeOf({}, [{ header: { type: 'attachment', filename: 'a.png' }, payload: picture() }]);
    expect((await sendEnvelope(app.url, key, alone)).status).toBe(200);
  });

  it('DIAG-2: is stored whatever comes with it, and what is dropped is named', async () => {
    const app = await startApp({
      engine: 'sqlite',
      config: { rateLimitScale: 10, feedbackWithoutSignIn: true },
    });
    const key = await ownProjectKey(app);
    const attachment = (filename: string, payload: Buffer, more = {}) => ({
      header: { type: 'attachment', filename, ...more },
      payload,
    });
    const cases: [sides: SentItem[], pictures: number, dropped: string[]][] = [
      [[attachment('a.png', picture()), attachment('b.png', picture())], 2, []],
      [Array.from({ length: 7 }, (_each, at) => attachment(`${at}.png`, picture())), 5, ['5.png', '6.png']],
      [[attachment('a.gif', Buffer.from('GIF89a')), attachment('b.png', picture())], 1, ['a.gif']],
      [[attachment('a.png', picture().subarray(0, 40)), attachment('b.png', picture())], 1, ['a.png']],
      [[attachment('a.png', Buffer.concat([picture(), Buffer.alloc(9 * 1024 * 1024)]))], 0, ['a.png']],
      [[attachment('a.png', Buffer.alloc(0))], 0, ['a.png']],
      [
        [
          attachment('view-hierarchy.json', Buffer.from('{}'), { attachment_type: 'event.view_hierarchy' }),
          attachment('b.png', picture()),
        ],
        1,
        ['view-hierarchy.json'],
      ],
      [
        [
          { header: { type: 'replay_event' }, payload: {} },
          { header: { type: 'new' }, payload: 'x' },
        ],
        0,
        ['replay_event', 'new'],
      ],
      [[{ header: { type: 'event' }, payload: [] }, attachment('b.png', picture())], 1, ['event']],
      [[{ header: { type: 'user_report' }, payload: { comments: {} } }], 0, []],
      [[{ header: { type: 7 }, payload: {} }, attachment('b.png', picture())], 1, ['7']],
      [[{ header: { type: 'event', length: 9_999 }, payload: {} }], 0, ['envelope']],
      [[{ header: { type: 'event', length: 'x' }, payload: {} }], 0, ['envelope']],
      [[{ header: {}, payload: {} }, attachment('b.png', picture())], 1, ['item']],
      [
        Array.from({ length: 40 }, () => attachment('a.txt', Buffer.from('x'))),
        0,
        Array.from({ length: 40 }, () => 'a.txt'),
      ],
      [
        Array.from({ length: 120 }, () => ({ header: { type: 'span' }, payload: {} })),
        0,
        [...Array.from({ length: 99 }, () => 'span'), 'envelope'],
      ],
    ];
    for (const [sides, pictures, dropped] of cases) {
      const eventId = newEventId();
      const what = JSON.stringify(sides.map(({ header }) => header)).slice(0, 200);
      const feedback = {
        header: { type: 'feedback' },
        payload: { contexts: { feedback: { message: 'Look.' } } },
      };
      const sent = await sendEnvelope(app.url, key, envelopeOf({ event_id: eventId }, [feedback, ...sides]));
      const answer = (await sent.json()) as { id: string; dropped?: { name: string; reason: string }[] };
      const names = (answer.dropped ?? []).map(({ name }) => name);
      expect([what, sent.status, answer.id, names]).toEqual([what, 200, eventId, dropped]);
      const [report] = (await reportsOf(app)).filter((each) => each.event_id === eventId);
      const stored = await app.database.read
        .selectFrom('report_picture')
        .select('file_id')
        .where('report_id', '=', report?.id ?? '')
        .execute();
      expect([what, report?.message, stored.length]).toEqual([what, 'Look.', pictures]);
      const { dropped: told = '' } = JSON.parse(report?.tags ?? '') as Record<string, string>;
      const first = names[0] === undefined ? '' : `${names[0]}: ${answer.dropped?.[0]?.reason}`;
      expect([what, told.slice(0, first.length)]).toEqual([what, first]);
    }
  });

  it('DIAG-2: comes before an item that cannot be read, and after it', async () => {
    const app = await startApp({ engine: 'sqlite', config: { feedbackWithoutSignIn: true } });
    const key = await ownProjectKey(app);
    const feedback = {
      header: { type: 'feedback' },
      payload: { contexts: { feedback: { message: 'Look.' } } },
    };
    const broken = { header: { type: 'event' }, payload: Buffer.from('{"a":') };
    const sent = await sendEnvelope(app.url, key, envelopeOf({}, [broken, feedback]));
    expect([sent.status, await sent.json()]).toEqual([
      200,
      { id: expect.any(String), dropped: [{ name: 'event', reason: expect.stringContaining('JSON') }] },
    ]);
    expect(await reportsOf(app)).toMatchObject([{ message: 'Look.' }]);
  });

  it('DIAG-2: that is too long is cut at a character and marked; nothing of it is lost for its length', async () => {
    const app = await startApp({ engine: 'sqlite', config: { feedbackWithoutSignIn: true } });
    const key = await ownProjectKey(app);
    const long = 'x'.repeat(5_000);
    const smileys = '😀'.repeat(2_050);
    const feedback = {
      message: smileys,
      name: long,
      contact_email: `${long}@example.org`,
      // What stands for the secret is longer than it.
      url: `https://a.test/?token=1&${long}`,
    };
    const tags = Object.fromEntries(
      Array.from({ length: 80 }, (_each, at) => [`${long.slice(0, 70)}${at}`, long]),
    );
    const items = [
      {
        header: { type: 'feedback' },
        payload: {
          contexts: { feedback },
          tags: { ...tags, '\u200b': 'x' },
          release: long,
          environment: long,
          user: long,
        },
      },
      { header: { type: 'attachment', filename: `${long}.png` }, payload: picture() },
      {
        header: { type: 'user_report' },
        payload: { event_id: newEventId(), comments: 'y'.repeat(900_000), name: [long], email: { a: 1 } },
      },
      { header: { type: 'user_report' }, payload: { event_id: {}, comments: { code: 5, token: 'hunter2' } } },
    ];
    const sent = await sendEnvelope(app.url, key, envelopeOf({}, items));
    expect(sent.status).toBe(200);
    const reports = (await reportsOf(app)).toSorted((one, other) => (one.message < other.message ? 1 : -1));
    expect(reports).toMatchObject([
      {
        message: `${'😀'.repeat(2_047)}…`,
        name: `${'x'.repeat(199)}…`,
        url: expect.stringMatching(/^https:\/\/a\.test\/\?token=\[Filtered\]&x{2000,}/),
      },
      { message: '{"code":5,"token":"[Filtered]"}' },
      { message: `${'y'.repeat(4_095)}…`, name: expect.stringMatching(/^\["x+/), email: '' },
    ]);
    expect(JSON.parse(reports[0]?.tags ?? '')).toMatchObject({ cut: 'message of 4100 characters' });
    expect(JSON.parse(reports[2]?.tags ?? '')).toEqual({
      cut: 'message of 900000 characters',
      contact: '{"a":1}',
    });
  });

  it('DIAG-2: is limited apart from errors, and each limit names what it is about', async () => {
    const app = await startApp({
      engine: 'sqlite',
      clock: movableClock(),
      config: { rateLimitScale: 0.01, feedbackWithoutSignIn: true },
    });
    const key = await ownProjectKey(app);
    const errors = await Promise.all(
      Array.from({ length: 30 }, () => sendEnvelope(app.url, key, errorEnvelope())),
    );
    const refused = errors.filter(({ status }) => status === 429);
    expect(errors.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) {
      expect(headers.get('x-sentry-rate-limits')).toMatch(/^\d+:error:key$/);
      expect(headers.get('retry-after')).toBeNull();
    }
    const eventId = newEventId();
    const message = { message: 'It does not stop.' };
    const stored = await sendEnvelope(app.url, key, feedbackEnvelope(eventId, message));
    expect([stored.status, stored.headers.get('x-sentry-rate-limits')]).toEqual([200, null]);
    const next = await sendEnvelope(app.url, key, feedbackEnvelope(newEventId(), message));
    expect([next.status, next.headers.get('x-sentry-rate-limits')]).toEqual([
      429,
      expect.stringMatching(/^\d+:feedback;user_report:key$/),
    ]);
    expect(await reportsOf(app)).toHaveLength(1);
    await expect
      .poll(async () =>
        // One row for each hour.
        (await app.database.read.selectFrom('project_count').select('refused').execute()).reduce(
          (sum, row) => sum + row.refused,
          0,
        ),
      )
      .toBe(refused.length);
  });
});

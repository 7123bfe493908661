import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { feedbackLimits, saveFeedback, type SentReport } from '#features/feedback/contract/feedback.ts';
import { listOwnReports } from '#features/feedback/contract/own-reports.ts';
import { getReport } from '#features/feedback/contract/inbox.ts';
import { deleteFile, fileLimits } from '#features/files/contract/files.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { endApp, startApp, type TestApp } from '#server/testing/app.ts';
import { callRoute, type Answer } from '#server/testing/client.ts';
import { dump } from '#server/testing/dump.ts';
import { engines, provedOn, type Engine } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import { pngFile, pngOf } from '#server/testing/png.ts';
import { openSocket } from '#server/testing/raw-request.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import { request } from '#server/testing/route-request.ts';
import { addFile } from '#features/files/server/files.store.ts';

const png = pngFile({ width: 3, height: 2 });
const picture = (bytes: Uint8Array, filename = 'screenshot.png') => ({
  data: Buffer.from(bytes).toString('base64'),
  filename,
  contentType: 'image/png',
});
const anEventId = 'c'.repeat(32);
const withPicture = { message: 'x', attachments: [picture(png)] };

const outcome = ({ status, problem }: Answer<typeof saveFeedback>) =>
  problem === null
    ? `${status}`
    : `${status} ${problem.code} ${(problem.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`).join()}`.trim();

async function startOn(engine: Engine, config: Parameters<typeof startApp>[0]['config'] = {}) {
  const app = await startApp({ engine, config });
  const operator = await signIn(app, { roles: ['operator'] });
  const ada = await signIn(app, { email: 'ada@example.org', roles: ['member'] });
  const send = (body: SentReport, as: SignedIn = ada) => as.call(saveFeedback, { body });
  const read = async (reportId: string) => (await operator.call(getReport, { params: { reportId } })).body;
  const sendAndRead = async (body: SentReport) => read((await send(body)).body.id);
  return { app, operator, ada, send, read, sendAndRead };
}

/** One application for tests that do not depend on the reports of other tests. */
function useShared(engine: Engine): () => Awaited<ReturnType<typeof startOn>> {
  let shared: Awaited<ReturnType<typeof startOn>>;
  beforeAll(async () => {
    shared = await startOn(engine);
    return () => endApp(shared.app);
  });
  return () => shared;
}

async function bytesOf(app: TestApp, fileId: string, accessToken: string) {
  const response = await fetch(`${app.url}/v1/files/${fileId}`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  return response.ok ? Buffer.from(await response.arrayBuffer()) : response.status;
}

describe.each(engines)('sending a report on %s', (engine) => {
  const once = provedOn(engine);
  const shared = useShared(engine);
  const start = (config = {}) => startOn(engine, config);

  it('BUG-6: stores everything with it, and counts it from one', async () => {
    const { app, operator, ada, send, read, sendAndRead } = await start();
    const whole: SentReport = {
      name: 'Ada King',
      email: 'Ada@Example.org',
      message: 'The map is white.\n\nIt was green yesterday.',
      source: 'widget',
      tags: { area: 'map', empty: '' },
      url: 'https://portico.example.org/map?z=3',
      associatedEventId: 'a'.repeat(32),
      eventId: anEventId,
      attachments: [picture(png, 'before.png'), picture(pngFile({ width: 5, height: 1 }), 'after.PNG')],
      context: {
        release: '1.2.3',
        browser: 'A browser',
        viewport: '1280 × 720 @2',
        time: 1_700_000_000_000,
        errors: [
          {
            id: 'a'.repeat(32),
            at: 1_700_000_000_000,
            what: 'profile.load',
            screen: '/people/$personId/data',
            kind: 'ProblemError',
            script: 'main-1a2b.js:1:2',
            status: 500,
            code: 'INTERNAL',
            requestId: 'req-1',
          },
        ],
        failedCalls: [{ at: 1_700_000_000_000, call: 'GET /v1/users/:userId/profile', status: 0 }],
        flags: [{ key: '$NEW.MAP', value: 'true' }],
        rights: ['MAP_VIEW'],
      },
    };
    const answer = await send(whole);
    expect([answer.status, answer.body]).toEqual([201, { id: expect.any(String), number: 1 }]);
    const stored = await read(answer.body.id);
    const { attachments: _sent, ...fields } = whole;
    expect(stored).toEqual({
      ...fields,
      ...answer.body,
      email: 'ada@example.org',
      excerpt: 'The map is white. It was green yesterday.',
      status: 'new',
      pictures: 2,
      reporterId: ada.id,
      attachments: [
        {
          id: expect.any(String),
          filename: 'before.png',
          size: png.length,
          width: 3,
          height: 2,
          url: expect.any(String),
        },
        expect.objectContaining({ filename: 'after.png', width: 5, height: 1 }),
      ],
      createdAt: expect.any(Number),
      changedAt: stored.createdAt,
      history: [{ what: 'status', at: stored.createdAt, before: null, after: 'new', by: 'ada@example.org' }],
      assignee: null,
      labels: [],
      picture: stored.attachments[0],
      replies: 0,
      notes: 0,
      lastWord: 'reporter',
      duplicateOf: null,
      snoozedUntil: null,
      duplicates: [],
      messages: [],
      replyReaches: ['my-reports'],
      names: {},
      version: 1,
    });
    const [first] = stored.attachments;
    expect(first?.url).toBe(`/v1/files/${first?.id}`);
    expect(await bytesOf(app, first?.id ?? '', operator.accessToken)).toEqual(png);

    expect((await send({ message: 'Another one' })).body.number).toBe(2);
    const least = await sendAndRead({ message: 'x' });
    expect(least).toMatchObject({
      number: 3,
      name: '',
      email: '',
      source: 'api',
      url: '',
      tags: {},
      context: {},
      associatedEventId: null,
      eventId: expect.stringMatching(/^[0-9a-f]{32}$/),
      attachments: [],
    });
  });

  it('BUG-2: trims what was written, and refuses what is no address', async () => {
    const { send, sendAndRead } = shared();
    const blank = { name: '  Ada   King ', email: ' ada@example.org ', message: '\n  It is broken. \t' };
    const stored = await sendAndRead(blank);
    expect(stored).toMatchObject({ name: 'Ada King', email: 'ada@example.org', message: 'It is broken.' });
    expect(outcome(await send({ message: 'x', email: 'nowhere' }))).toMatch(/^422 INVALID_BODY \/email/);
  });

  it('BUG-6: stores text as text: markup stays as it was written, hidden characters are removed', async () => {
    const { send, read, ada } = shared();
    const html = '<img src=x onerror=alert(1)>"\'&amp;';
    const hidden = `\u0000\u0007\u001b[31m\u202e${html}\u2066\u007f`;
    const answer = await send({
      name: hidden,
      message: `${hidden}\r\nsecond\u2028third`,
      source: hidden,
      url: `javascript:${hidden}`,
      tags: { [hidden]: hidden },
      context: { browser: hidden, release: hidden },
      attachments: [picture(png, hidden)],
    });
    const text = `[31m${html}`;
    const stored = await read(answer.body.id);
    expect(stored).toMatchObject({
      name: text,
      message: `${text}\nsecond\nthird`,
      source: text,
      url: `javascript:${text}`,
      tags: { [text]: text },
      context: { browser: text, release: text },
    });
    expect(JSON.stringify(stored)).not.toMatch(/\\u00|\u202e|\u2066|\u007f/);
    const own = await ada.call(listOwnReports, { params: { userId: 'current' } });
    expect(own.headers.get('content-type')).toMatch(/^application\/json/);
    expect(own.body.reports[0]?.message).toBe(stored.message);
  });

  it('BUG-5: the same report under its event id is stored once, and answered alike', async () => {
    const { app, ada, send } = await start();
    const original: SentReport = {
      eventId: anEventId,
      message: 'Twice',
      tags: { a: '1', b: '2' },
      attachments: [picture(png)],
    };
    const first = await send(original);
    const before = await dump(app.database);
    const again = await send({ ...original, message: ' Twice ', tags: { b: '2', a: '1' } });
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    const rows = ({ report, report_history, report_picture, file }: Record<string, string[]>) => ({
      report,
      report_history,
      report_picture,
      file,
    });
    expect(rows(await dump(app.database))).toEqual(rows(before));

    const atOnce = { ...original, eventId: 'd'.repeat(32) };
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(atOnce)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body.number).toBe(2);
    const own = (await ada.call(listOwnReports, { params: { userId: 'current' } })).body;
    expect(own.reports.map(({ number, attachments }) => [number, attachments.length])).toEqual([
      [2, 1],
      [1, 1],
    ]);
  });

  it('BUG-5: another report under the same event id is refused, also at once, and by any sender', async () => {
    const { app, operator, send } = await start({ feedbackWithoutSignIn: true });
    const original: SentReport = { eventId: anEventId, message: 'x', attachments: [picture(png)] };
    await send(original);
    const others: SentReport[] = [
      { ...original, message: 'y' },
      { ...original, name: 'Ada' },
      { ...original, tags: { a: 'b' } },
      { ...original, context: { release: '2' } },
      { ...original, attachments: [] },
      { ...original, attachments: [picture(png, 'other.png')] },
      { ...original, attachments: [picture(pngFile({ width: 3, height: 3 }))] },
    ];
    for (const other of others) expect(outcome(await send(other))).toBe('409 EVENT_ID_USED');
    expect(outcome(await send(original, operator))).toBe('409 EVENT_ID_USED');
    expect(outcome(await app.call(saveFeedback, { body: original }))).toBe('409 EVENT_ID_USED');

    const eventId = 'd'.repeat(32);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_each, index) => send({ eventId, message: `Race ${index}` })),
    );
    expect(answers.map(outcome).toSorted()).toEqual([
      '201',
      ...Array.from({ length: 7 }, () => '409 EVENT_ID_USED'),
    ]);
    const { count } = await app.database.read
      .selectFrom('report')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect(count).toBe(2);
  });

  it('BUG-6: numbers have no gap and no double, however many come at once', async () => {
    const { operator, ada, send } = await start();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_each, index) =>
        send({ message: `Report ${index}` }, index % 2 === 0 ? ada : operator),
      ),
    );
    expect(answers.map(({ body }) => body.number).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_each, index) => index + 1),
    );
  });

  it.each(once)('BUG-6: needs a session or a token, unless the setting allows others', async () => {
    const closed = await start();
    const body = withPicture;
    expect(outcome(await closed.app.call(saveFeedback, { body }))).toBe('401 UNAUTHENTICATED');
    const accessToken = await addToken(closed.app, { rights: [], name: 'Nightly' });
    const byScript = await closed.app.call(saveFeedback, { body }, { accessToken });
    expect(await closed.read(byScript.body.id)).toMatchObject({
      reporterId: null,
      history: [{ before: null, after: 'new', by: 'Nightly' }],
    });

    const open = await start({ feedbackWithoutSignIn: true });
    const anonymous = await open.app.call(saveFeedback, { body });
    expect(await open.read(anonymous.body.id)).toMatchObject({
      reporterId: null,
      history: [{ before: null, after: 'new', by: '' }],
    });
    expect((await open.sendAndRead(body)).reporterId).toBe(open.ada.id);
    // A caller who presents a credential needs a valid one.
    const forged = await open.app.call(saveFeedback, { body }, { accessToken: 'nonsense' });
    expect(outcome(forged)).toBe('401 TOKEN_INVALID');
  });

  it.each(once)('BUG-6: takes the largest picture, and five of them', async () => {
    const { sendAndRead } = shared();
    const noise = Buffer.alloc(1_400 * 1_400 * 4);
    for (let index = 0; index < noise.length; index += 1) noise[index] = (index * 2_654_435_761) >>> 13;
    const large = pngFile({ width: 1_400, height: 1_400, pixels: noise, level: 0 });
    expect(large.length).toBeGreaterThan(7_500_000);
    const report = await sendAndRead({ message: 'x', attachments: [picture(large)] });
    expect(report.attachments[0]?.size).toBe(large.length);
    const small = pngFile({ width: 600, height: 700, level: 0 });
    const five = Array.from({ length: 5 }, () => picture(small));
    expect((await sendAndRead({ message: 'x', attachments: five })).pictures).toBe(5);
  });

  /** The hashes of all stored files, whether or not a report refers to them. */
  async function contents({ database, place }: TestApp): Promise<string[]> {
    if (database.engine === 'sqlite')
      return readdirSync(join(place.dataDir, 'files'), { recursive: true }).map(String).toSorted();
    const rows = await database.read.selectFrom('file_chunk').select('hash').distinct().execute();
    return rows.map(({ hash }) => hash).toSorted();
  }

  /** Gives a person files of so many bytes. */
  const fill = (app: TestApp, owner: string | null, size: number) =>
    app.database.transaction((tx) =>
      addFile(tx, {
        owner,
        size,
        filename: 'a',
        contentType: 'image/png',
        width: 1,
        height: 1,
        hash: 'a'.repeat(64),
        at: 1,
      }),
    );

  it('BUG-6 FILE-1: pictures count towards the file quota of their sender; a report without them is still stored', async () => {
    const { app, ada, operator, send } = await start();
    const original = { ...withPicture, eventId: anEventId };
    expect(outcome(await send(original))).toBe('201');
    await fill(app, ada.id, fileLimits.ownerBytes - 2 * png.length);
    expect(outcome(await send({ message: 'The last one', attachments: [picture(png)] }))).toBe('201');
    const before = await dump(app.database);
    const refused = await send(withPicture);
    expect(outcome(refused)).toBe('413 STORAGE_FULL');
    expect(refused.problem?.detail).toContain('without them');
    const after = await dump(app.database);
    expect([after['report'], after['file']]).toEqual([before['report'], before['file']]);
    // A report that is stored already is acknowledged again, whatever the quota (BUG-5).
    expect(outcome(await send(original))).toBe('201');
    expect(outcome(await send({ message: 'x' }))).toBe('201');
    expect(outcome(await send(withPicture, operator))).toBe('201');
  });

  it('BUG-5 BUG-6: no picture of a report with a used event id is written', async () => {
    const { app, send } = await start({ feedbackWithoutSignIn: true });
    const anonymously = (body: SentReport) => app.call(saveFeedback, { body });
    const original = { ...withPicture, eventId: anEventId };
    expect([
      outcome(await send(original)),
      outcome(await anonymously({ ...original, eventId: 'b'.repeat(32) })),
    ]).toEqual(['201', '201']);
    const before = await contents(app);
    for (const [width, again] of [send, anonymously].entries()) {
      const another = picture(pngFile({ width: 7 + width, height: 7 }));
      const eventId = again === send ? anEventId : 'b'.repeat(32);
      expect(outcome(await again({ ...original, eventId, attachments: [another] }))).toBe(
        '409 EVENT_ID_USED',
      );
    }
    expect(await contents(app)).toEqual(before);
    expect(outcome(await send(original))).toBe('201');
  });

  it('BUG-6: of three reports at once only one gets the last room for its picture', async () => {
    const { app, ada, send } = await start();
    await fill(app, ada.id, fileLimits.ownerBytes - png.length);
    const answers = await Promise.all(
      [1, 2, 3].map((n) => send({ message: `Race ${n}`, attachments: [picture(png)] })),
    );
    expect(answers.map(outcome).toSorted()).toEqual(['201', '413 STORAGE_FULL', '413 STORAGE_FULL']);
  });

  it('BUG-6: pictures of people who are not signed in share one quota; it does not limit people who are signed in', async () => {
    const { app, send } = await start({ feedbackWithoutSignIn: true });
    const anonymously = (body: SentReport) => app.call(saveFeedback, { body });
    await fill(app, null, feedbackLimits.anonymousBytes - png.length);
    expect(outcome(await anonymously(withPicture))).toBe('201');
    expect(outcome(await anonymously(withPicture))).toBe('413 STORAGE_FULL');
    expect(outcome(await anonymously({ message: 'x' }))).toBe('201');
    expect(outcome(await send(withPicture))).toBe('201');
  });

  it('BUG-6: pictures of people who are not signed in have a quota for each address and day', async () => {
    const clock = movableClock();
    // A tenth: 5 MiB, of which this picture takes just under a half.
    const app = await startApp({
      engine,
      clock,
      config: { feedbackWithoutSignIn: true, rateLimitScale: 0.1 },
    });
    const half = picture(pngFile({ width: 800, height: 800, level: 0 }));
    const anonymously = async (attachments: SentReport['attachments']) =>
      outcome(await app.call(saveFeedback, { body: { message: 'x', attachments } }));
    expect([await anonymously([half]), await anonymously([half])]).toEqual(['201', '201']);
    expect(await anonymously([half])).toBe('413 STORAGE_FULL');
    expect(await anonymously([])).toBe('201');
    clock.move(12 * 3_600_000);
    expect([await anonymously([half]), await anonymously([half])]).toEqual(['201', '413 STORAGE_FULL']);
  });

  it('FILE-1: the reporter and people who read reports can read a picture, and it stays while its report shows it', async () => {
    const { app, operator, ada, sendAndRead } = shared();
    const bob = await signIn(app, { roles: ['member'] });
    const support = await addToken(app, { rights: ['REPORTS_READ'] });
    const other = await addToken(app, { rights: ['PEOPLE_READ'] });
    const fileId = (await sendAndRead(withPicture)).attachments[0]?.id ?? '';
    for (const token of [ada.accessToken, operator.accessToken, support])
      expect(await bytesOf(app, fileId, token)).toEqual(png);
    for (const token of [bob.accessToken, other]) expect(await bytesOf(app, fileId, token)).toBe(404);
    const gone = await ada.call(deleteFile, { params: { fileId } });
    expect([gone.status, gone.problem?.code]).toEqual([409, 'FILE_IN_USE']);
    expect(await bytesOf(app, fileId, ada.accessToken)).toEqual(png);
  });
});

// Decisions before anything is stored do not depend on the engine.
describe('a report', () => {
  const shared = useShared('sqlite');
  const start = (config = {}) => startOn('sqlite', config);

  // Further invalid data: base64.test.ts, clean-png.test.ts.
  it.each<[what: string, sent: object, refused: string]>([
    ['no base64', { data: 'ab!=' }, 'format'],
    ['HTML', picture(Buffer.from('<script>alert(1)</script>')), 'not_a_png'],
    ['a PNG cut off', picture(png.subarray(0, -4)), 'damaged'],
    ['too many pixels', picture(hugePng()), 'too_many_pixels'],
    ['too many bytes', { data: 'A'.repeat(11_184_816) }, 'too_big'],
  ])('BUG-6: refuses %s for a picture, and stores nothing', async (_what, sent, refused) => {
    const { app, send } = shared();
    const before = await dump(app.database);
    const bad = { ...picture(png), ...sent };
    expect(outcome(await send({ message: 'x', attachments: [bad] }))).toBe(
      `422 INVALID_BODY /attachments/0/data ${refused}`,
    );
    const second = { message: 'x', attachments: [picture(png), bad] };
    expect(outcome(await send(second))).toBe(`422 INVALID_BODY /attachments/1/data ${refused}`);
    expect(await dump(app.database)).toEqual(before);
  });

  // Further names: filename.test.ts.
  it.each([
    ['/etc/passwd', 'passwd.png'],
    ['', 'file.png'],
  ])('BUG-6: cleans the name %j of a picture to %j', async (sent, cleaned) => {
    const { attachments } = await shared().sendAndRead({ message: 'x', attachments: [picture(png, sent)] });
    expect(attachments[0]?.filename).toBe(cleaned);
  });

  it('BUG-4: pages of origins that are not listed are refused, that of Portico itself too', async () => {
    const listed = 'https://shop.example.org';
    const { app, ada } = await start({ feedbackOrigins: [listed] });
    const from = (origin: string) =>
      callRoute(
        app.url,
        saveFeedback,
        { body: { message: 'x' } },
        { accessToken: ada.accessToken, headers: { origin } },
      );
    const answers = [await from(app.config.publicUrl), await from(listed)];
    expect(answers.map(outcome)).toEqual(['403 ORIGIN_NOT_ALLOWED', '201']);
  });

  it('API-2: a hundred reports at once from one person are limited; others can send, and the person again later', async () => {
    const clock = movableClock();
    const app = await startApp({ engine: 'sqlite', clock, config: { rateLimitScale: 1 } });
    const [ada, bob] = [await signIn(app), await signIn(app)];
    const send = (as: SignedIn) => as.call(saveFeedback, { body: { message: 'x' } });
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(ada)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    const refused = answers.filter(({ problem }) => problem?.code === 'TOO_MANY_REQUESTS');
    expect(refused).toHaveLength(90);
    expect(refused.filter(({ headers }) => Number(headers.get('retry-after')) > 0)).toHaveLength(90);
    // The hundred requests also used up the limit of the address, which has room again after half a second.
    expect(outcome(await send(bob))).toBe('429 TOO_MANY_REQUESTS');
    clock.move(2_500);
    expect(outcome(await send(bob))).toBe('201');
    const still = await send(ada);
    expect([outcome(still), still.headers.get('retry-after')]).toEqual(['429 TOO_MANY_REQUESTS', '4']);
    clock.move(4_000);
    expect(outcome(await send(ada))).toBe('201');
    expect(outcome(await send(ada))).toBe('429 TOO_MANY_REQUESTS');
  });

  it('API-1: refuses what is too large or too much, and names the reason', async () => {
    const { app, ada, send } = shared();
    const raw = (text: string) => request(app.url, saveFeedback, { accessToken: ada.accessToken, raw: text });
    const tooLarge = await raw(JSON.stringify({ message: 'x', url: 'x'.repeat(13 * 1024 * 1024) }));
    expect([tooLarge.status, tooLarge.code]).toEqual([413, 'TOO_LARGE']);
    const depth = 5_000_000;
    const deep = await raw(`{"message":"x","context":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    expect([deep.status, deep.code]).toEqual([413, 'TOO_LARGE']);
    const shallow = await raw(`{"message":"x","context":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    expect([shallow.status, shallow.code]).toEqual([400, 'BAD_JSON']);

    const tags = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_each, index) => [`tag ${index}`, 'x']));
    expect(outcome(await send({ message: 'x', tags: tags(feedbackLimits.tags) }))).toBe('201');
    expect(outcome(await send({ message: 'x', tags: tags(51) }))).toBe('422 INVALID_BODY /tags invalid');
    expect(outcome(await send({ message: 'x', tags: tags(20_000) }))).toMatch(/^4(00|13|22)/);
    const six = Array.from({ length: 6 }, () => picture(png));
    expect(outcome(await send({ message: 'x', attachments: six }))).toBe(
      '422 INVALID_BODY /attachments too_big',
    );
    expect(outcome(await send({ message: 'x'.repeat(4096) }))).toBe('201');
    expect(outcome(await send({ message: 'x'.repeat(4097) }))).toBe('422 INVALID_BODY /message too_big');
    // Only pictures may be long; megabytes of a name are not cleaned.
    for (const field of ['name', 'email', 'message', 'url'])
      expect(outcome(await send({ message: 'x', [field]: 'a.'.repeat(500_000) }))).toBe('413 TOO_LARGE');
  });

  it('BUG-7: what a page has recorded is bounded, and hostile context is refused in plain terms', async () => {
    const { send } = shared();
    const error = { id: 'a'.repeat(32), at: 1, what: 'profile.load' };
    const call = { at: 1, call: 'GET /v1/x' };
    const click = { kind: 'click', at: 1, role: 'button', name: 'Save' };
    const crumbs = [
      click,
      { kind: 'navigation', at: 2, path: '/people/$personId', count: 2 },
      { kind: 'call', ...call, status: 0 },
      { kind: 'console', at: 3, level: 'warning', text: 'Slow' },
    ];
    const many = <T>(count: number, one: (index: number) => T) =>
      Array.from({ length: count }, (_each, index) => one(index));
    const sent = async (context: unknown) => outcome(await send({ message: 'x', context } as SentReport));
    expect(
      await sent({
        errors: many(20, () => error),
        failedCalls: many(20, () => call),
        breadcrumbs: [...crumbs, ...many(46, () => click)],
        flags: many(200, (index) => ({ key: `F${index}`, value: 'v'.repeat(50) })),
        rights: many(200, (index) => `RIGHT_${index}`),
      }),
    ).toBe('201');
    // Single mistakes in the context: bad-input.test.ts.
    const refused: readonly [context: unknown, pointer: string][] = [
      [{ breadcrumbs: many(51, () => click) }, '/context/breadcrumbs'],
      [{ breadcrumbs: [{ ...click, kind: 'typed' }] }, '/context/breadcrumbs/0/kind'],
      [{ breadcrumbs: [{ ...click, value: 'typed' }] }, '/context/breadcrumbs/0'],
      [{ breadcrumbs: [{ ...click, name: 'x'.repeat(101) }] }, '/context/breadcrumbs/0/name'],
      [{ breadcrumbs: [{ ...click, count: 10_000 }] }, '/context/breadcrumbs/0/count'],
      [
        { breadcrumbs: [{ kind: 'console', at: 1, level: 'log', text: 'x' }] },
        '/context/breadcrumbs/0/level',
      ],
      [{ flags: many(200, () => ({ key: 'k'.repeat(100), value: 'v'.repeat(100) })) }, '/context'],
    ];
    for (const [context, pointer] of refused)
      expect([pointer, await sent(context)]).toEqual([
        pointer,
        expect.stringMatching(new RegExp(`^422 INVALID_BODY ${pointer}(?:/\\w+)? `)),
      ]);
    expect(outcome(await send({ message: 'x', associatedEventId: 'A'.repeat(32) }))).toMatch(
      /^422 INVALID_BODY \/associatedEventId/,
    );
  });

  it('BUG-6: a slow sender delays only themselves', async () => {
    const { app, ada, operator, send } = shared();
    const slow = openSocket(app.config.port);
    slow.write(
      [
        'POST /v1/feedback HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer ${ada.accessToken}`,
        'Content-Type: application/json',
        `Content-Length: ${feedbackLimits.bodyBytes}`,
        'Expect: 100-continue',
        '\r\n',
      ].join('\r\n'),
    );
    // The server has accepted the request; after one more call it certainly waits for the body.
    await once(slow, 'data');
    expect(outcome(await send({ message: 'Past it' }, operator))).toBe('201');
    let answered = false;
    const second = send({ message: 'Behind it' }).finally(() => (answered = true));
    expect(outcome(await send({ message: 'Past both' }, operator))).toBe('201');
    expect(answered).toBe(false);
    slow.destroy();
    expect(outcome(await second)).toBe('201');
  });
});

/** A few kilobytes that claim 400 million pixels. */
function hugePng(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(20_000, 0);
  header.writeUInt32BE(20_000, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return pngOf([
    { type: 'IHDR', data: header },
    { type: 'IDAT', data: deflateSync(Buffer.alloc(1_000_000)) },
    { type: 'IEND', data: Buffer.alloc(0) },
  ]);
}

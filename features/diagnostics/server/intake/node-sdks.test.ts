import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { movableClock } from '#server/testing/movable-clock.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { startProcess } from '#server/testing/child-process.ts';
import { ownProjectKey } from '#server/testing/envelopes.ts';
import { pngFile } from '#server/testing/png.ts';
import { unpackSample } from './packed-sample.ts';

/**
 * Two major versions of Sentry's SDK for Node: the current one, and the one before without OpenTelemetry, whose
 * client and wire are those of `@sentry/node` 10.
 */
const sdks = ['@sentry/node', '@sentry/node-core/light'];

async function run(app: TestApp, sdk: string, mode: string) {
  const picture = join(app.place.dataDir, 'screenshot-to-send.png');
  writeFileSync(picture, pngFile({ width: 4, height: 4, pixels: Buffer.alloc(64, 7) }));
  const dsn = `${app.url.replace('//', `//${await ownProjectKey(app)}@`)}/1`;
  const child = startProcess('testing/sentry-sdk-process.ts', [sdk, dsn, mode, picture, 'hunter2']);
  const ids = JSON.parse(await child.line(/^\{/)) as Record<string, string>;
  return { ids, code: await child.ended };
}

const requests = (app: TestApp) =>
  app.log.filter((line) => line.msg === 'request' && JSON.stringify(line).includes('/envelope/'));

describe.each(sdks)('%s', (sdk) => {
  it('DIAG-2: reports errors, messages and feedback with a picture', async () => {
    const app = await startApp({ engine: 'sqlite', config: { feedbackWithoutSignIn: true } });
    const { ids, code } = await run(app, sdk, 'usual');
    expect(code).toBe(1);
    const { read } = app.database;
    const groups = await read.selectFrom('error_group').selectAll().orderBy('first_seen_at').execute();
    const facts = new Map(groups.map((group) => [group.message, group]));
    expect(facts.get('cannot load')).toMatchObject({
      kind: 'TypeError',
      place: 'src/testing/sentry-sdk-process.ts · loadCart',
      first_release: 'till@2.0.0',
      people: 1,
    });
    expect(facts.get('Order 4711 is late')).toMatchObject({ kind: 'Message', level: 'warning' });
    // It reaches the disk before the process ends.
    expect(facts.get('Nothing catches it')).toMatchObject({ kind: 'Error', level: 'fatal', events: 1 });
    const event = await read
      .selectFrom('error_event')
      .innerJoin('error_sample', 'error_sample.n', 'error_event.n')
      .selectAll('error_event')
      .select('error_sample.payload')
      .where('event_id', '=', ids['error'] ?? '')
      .executeTakeFirstOrThrow();
    expect(event).toMatchObject({
      environment: 'staging',
      browser: `node ${process.versions.node.split('.')[0]}`,
    });
    const sample = await unpackSample(event.payload);
    expect(sample).toMatchObject({
      exception: { values: [{ type: 'RangeError' }, { type: 'TypeError' }] },
      breadcrumbs: expect.arrayContaining([
        expect.objectContaining({ category: 'cart', data: { password: '[Filtered]' } }),
      ]),
      tags: expect.arrayContaining([['shop', 'north']]),
    });
    expect(JSON.stringify(sample)).not.toContain('hunter2');

    const reports = await read
      .selectFrom('report')
      .innerJoin('report_picture', 'report_picture.report_id', 'report.id')
      .selectAll('report')
      .execute();
    expect(reports).toMatchObject([
      {
        event_id: ids['feedback'],
        source: 'sentry',
        message: 'The till is slow.',
        email: 'mia@example.org',
        associated_event_id: ids['error'],
      },
    ]);
  });

  it('DIAG-2: stops sending errors at a limit of theirs, and goes on with feedback', async () => {
    const app = await startApp({
      engine: 'sqlite',
      clock: movableClock(),
      config: { rateLimitScale: 0.001, feedbackWithoutSignIn: true },
    });
    const { ids } = await run(app, sdk, 'flood');
    const refused = requests(app).filter((line) => JSON.stringify(line['res']).includes('429'));
    const errors = await app.database.read.selectFrom('error_group').select('events').execute();
    expect([errors, refused.length]).toEqual([[{ events: 1 }], 1]);
    const reports = await app.database.read.selectFrom('report').select(['event_id', 'message']).execute();
    expect(reports).toEqual([{ event_id: ids['feedback'], message: 'It does not stop.' }]);
  });
});

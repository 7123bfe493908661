import { describe, expect, it } from 'vitest';
import { createManualClock } from '#web/testing/manual-clock.ts';
import { createMapFetch, exceptionIn } from './map-fetch.ts';

type Answer = () => Response;
const picture: Answer = () => new Response('tile', { headers: { 'content-type': 'image/png' } });
const refused: Answer = () =>
  new Response('{"code":"UNAUTHENTICATED"}', {
    status: 401,
    headers: { 'content-type': 'application/problem+json' },
  });

function setUp(answers: Answer[], renew: () => Promise<void> = () => Promise.resolve()) {
  const clock = createManualClock();
  const seen = { sent: 0, renewed: 0 };
  const map = createMapFetch({
    fetch: () => {
      seen.sent += 1;
      return Promise.resolve((answers.shift() ?? picture)());
    },
    clock,
    renewCookie() {
      seen.renewed += 1;
      return renew();
    },
  });
  const get = () => map.get('/geoserver/wms', new AbortController().signal);
  return { get, seen, clock };
}

describe('MAP-3: tiles over an expired cookie', () => {
  it('renews it once for all tiles that were refused, and loads them again', async () => {
    const { get, seen } = setUp([refused, refused, refused]);
    const loaded = await Promise.all([get(), get(), get()]);
    expect([loaded.map(({ ok }) => ok), seen]).toEqual([[true, true, true], { sent: 6, renewed: 1 }]);
  });

  it('asks no third time, and renews no more for a while', async () => {
    const { get, seen, clock } = setUp(Array.from({ length: 9 }, () => refused));
    await expect(get()).rejects.toMatchObject({ kind: 'refused' });
    await expect(get()).rejects.toMatchObject({ kind: 'refused' });
    expect(seen).toEqual({ sent: 3, renewed: 1 });
    await clock.pass(30_000);
    await expect(get()).rejects.toMatchObject({ kind: 'refused' });
    expect(seen).toEqual({ sent: 5, renewed: 2 });
  });

  it('does not ask again where the renewal failed', async () => {
    const { get, seen } = setUp([refused], () => Promise.reject(new Error('no session')));
    await expect(get()).rejects.toMatchObject({ kind: 'refused' });
    expect(seen).toEqual({ sent: 1, renewed: 1 });
  });
});

describe('MAP-1: errors of the map server', () => {
  const xml =
    (text: string, status = 200) =>
    () =>
      new Response(text, { status, headers: { 'content-type': 'text/xml' } });
  const problem = (status: number, code: string) => () =>
    new Response(JSON.stringify({ code, detail: 'Why.' }), {
      status,
      headers: { 'content-type': 'application/problem+json' },
    });

  it('sees an exception that arrives with status 200', async () => {
    const report =
      '<ServiceExceptionReport><ServiceException code="x">No layer &lt;b&gt; &amp; c</ServiceException></ServiceExceptionReport>';
    const { get } = setUp([xml(report)]);
    await expect(get()).rejects.toMatchObject({ kind: 'server', detail: 'No layer <b> & c' });
  });

  it('lets other XML pass', async () => {
    const { get } = setUp([xml('<Capabilities/>')]);
    expect(await (await get()).text()).toBe('<Capabilities/>');
  });

  it.each([
    [403, 'RIGHT_MISSING', 'refused'],
    [404, 'NOT_FOUND', 'missing'],
    [502, 'MAP_SERVER_FAILED', 'server'],
    [502, 'MAP_SERVER_DOWN', 'none'],
    [504, 'MAP_SERVER_SLOW', 'slow'],
    [503, 'MAINTENANCE', 'none'],
    [400, 'INVALID_REQUEST', 'server'],
  ])('calls %i %s %s', async (status, code, kind) => {
    const { get } = setUp([problem(status, code)]);
    await expect(get()).rejects.toMatchObject({ kind, detail: 'Why.' });
  });

  it('reads the reports of WMS and OWS', () => {
    expect(
      exceptionIn(
        '<ows:ExceptionReport><ows:Exception><ows:ExceptionText>Bad</ows:ExceptionText></ows:Exception></ows:ExceptionReport>',
      ),
    ).toBe('Bad');
    expect(exceptionIn('<ServiceException><![CDATA[ a  b ]]></ServiceException>')).toBe('a b');
    expect(exceptionIn('<html>')).toBeNull();
  });
});

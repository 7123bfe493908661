import { expect, it } from 'vitest';
import { createBrowser } from '../../testing/browser.ts';
import { createFakeServer, later, problemAnswer } from '../../testing/fake-server.ts';
import { createManualClock, settled } from '../../testing/manual-clock.ts';
import { createFileAddresses } from './file-addresses.ts';
import { createErrorRecord } from '../record-error.ts';
import { createStore } from '../state/store.ts';

const picture = (type = 'image/png') => new Response('bytes', { headers: { 'content-type': type } });
const none = () => {};

function setUp() {
  const clock = createManualClock();
  const tab = createBrowser().openTab();
  const server = createFakeServer(() => picture());
  const stillness = { holds: false };
  const person = createStore<string | null>('ada');
  const errors = createErrorRecord(clock.now);
  const given = new Map<string, Blob>();
  let counter = 0;
  const addresses = createFileAddresses({
    api: server.api(),
    clock,
    person,
    presence: tab.presence,
    errors,
    isPaused: () => stillness.holds,
    urls: {
      createObjectURL(blob) {
        counter += 1;
        given.set(`blob:${counter}`, blob as Blob);
        return `blob:${counter}`;
      },
      revokeObjectURL: (address) => void given.delete(address),
    },
  });
  const recorded = () => errors.recorded.get().map(({ what }) => what);
  return { clock, tab, server, stillness, person, addresses, given, recorded };
}

it('FILE-1: a file is loaded once for all who show it, under an address without a token', async () => {
  const { server, addresses } = setUp();
  const file = addresses.of('f1');
  expect(file.get()).toEqual({ status: 'pending', address: null });
  file.subscribe(none);
  addresses.of('f1').subscribe(none);
  await settled();
  expect(file.get()).toEqual({ status: 'ready', address: 'blob:1' });
  expect(addresses.of('f1').get()).toBe(file.get());
  expect(server.calls()).toEqual(['GET /v1/files/f1']);
});

it('FILE-1: its address ends shortly after the last place has stopped showing it', async () => {
  const { clock, server, addresses, given } = setUp();
  const stop = addresses.of('f1').subscribe(none);
  await settled();
  stop();
  await clock.pass(4_000);
  const again = addresses.of('f1').subscribe(none);
  await clock.pass(60_000);
  expect([...given.keys()]).toEqual(['blob:1']);
  again();
  await clock.pass(5_000);
  expect([...given.keys()]).toEqual([]);
  addresses.of('f1').subscribe(none);
  await settled();
  expect(server.received).toHaveLength(2);
});

it('MAINT-3: what a maintenance page covers is not loaded again by all browsers when it goes', async () => {
  const { clock, server, stillness, addresses, given } = setUp();
  const stop = addresses.of('f1').subscribe(none);
  await settled();
  stillness.holds = true;
  stop();
  await clock.pass(3_600_000);
  const again = addresses.of('f1').subscribe(none);
  await settled();
  expect(server.received).toHaveLength(1);
  again();
  stillness.holds = false;
  await clock.pass(5_000);
  expect([...given.keys()]).toEqual([]);
});

it('FILE-1: what could not be loaded is recorded, and asked for again on a signal or on return', async () => {
  const { tab, server, addresses, recorded } = setUp();
  server.answerWith(() => problemAnswer(404, 'NOT_FOUND'));
  const file = addresses.of('f1');
  file.subscribe(none);
  await settled();
  expect(file.get()).toEqual({ status: 'error', address: null });
  expect(recorded()).toEqual(['files.load']);
  addresses.retry('f1');
  expect(file.get().status).toBe('pending');
  await settled();
  expect(file.get().status).toBe('error');
  server.answerWith(() => picture());
  tab.show();
  await settled();
  expect(file.get().status).toBe('ready');
});

it('FILE-1 SES-7: nothing of it outlives the session, and an answer that comes late is thrown away', async () => {
  const { server, person, addresses, given, recorded } = setUp();
  const file = addresses.of('f1');
  file.subscribe(none);
  await settled();
  const answer = later();
  server.answerWith(() => answer.promise);
  addresses.of('f2').subscribe(none);
  person.set(null);
  expect([...given.keys()]).toEqual([]);
  expect(file.get()).toEqual({ status: 'pending', address: null });
  answer.resolve(picture());
  await settled();
  expect([...given.keys()]).toEqual([]);
  expect(recorded()).toEqual([]);
});

it('FILE-1: a file that could run scripts under our origin is bytes to save', async () => {
  const { server, addresses, given } = setUp();
  for (const [id, type] of Object.entries({ a: 'image/svg+xml', b: 'text/html', c: 'image/jpeg' })) {
    server.answerWith(() => picture(type));
    addresses.of(id).subscribe(none);
    await settled();
  }
  expect([...given.values()].map(({ type }) => type)).toEqual([
    'application/octet-stream',
    'application/octet-stream',
    'image/jpeg',
  ]);
});

import type { ServerEvent } from '#features/events/contract/events.ts';
import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { LiveEvents } from '#features/events/web/live-events.ts';
import { networkProblem, ProblemError } from '../platform/calls/problem-error.ts';
import { createStore } from '../platform/state/store.ts';
import { createQueryClient, followConnection, followLists, isRetryable } from './query-client.ts';

const answered = (status: number, code: string) => new ProblemError({ status, code, title: code });

describe('CON-1: what a list does after a failure', () => {
  it.each([
    [400, 'INVALID_REQUEST'],
    [401, 'SESSION_ENDED'],
    [403, 'RIGHT_MISSING'],
    [404, 'NOT_FOUND'],
    [422, 'INVALID_BODY'],
    [429, 'TOO_MANY_REQUESTS'],
    [503, 'MAINTENANCE'],
  ])('CON-1: %i %s is an answer, and is not asked for again', (status, code) => {
    expect(isRetryable(0, answered(status, code))).toBe(false);
  });

  it('CON-1: a lost connection and a server in trouble are tried three times', () => {
    for (const error of [networkProblem(null), answered(500, 'INTERNAL'), answered(503, 'UNAVAILABLE')]) {
      expect([0, 1, 2].map((failures) => isRetryable(failures, error))).toEqual([true, true, false]);
    }
  });
});

it('CON-1: a next page that fails is reported, since the list looks as if it had ended; a first one is reported by the screen', async () => {
  const failed: unknown[] = [];
  const client = createQueryClient(
    () => false,
    (error) => failed.push(error),
  );
  const refused = answered(400, 'INVALID_REQUEST');
  const list = (first: boolean) =>
    new InfiniteQueryObserver(client, {
      queryKey: ['pages', first],
      queryFn: ({ pageParam }) =>
        pageParam === 0 && first ? Promise.resolve('page') : Promise.reject(refused),
      initialPageParam: 0,
      getNextPageParam: () => 1,
    });
  await list(false).refetch();
  expect(failed).toEqual([]);
  const pages = list(true);
  await pages.refetch();
  await pages.fetchNextPage();
  expect(failed).toEqual([refused]);
  expect(pages.getCurrentResult().data?.pages).toEqual(['page']);
  client.clear();
});

it('MAINT-3: a screen that shows again after maintenance reloads its lists after a spread wait, not at once', async () => {
  const maintenance = { returning: true };
  const client = createQueryClient(
    () => maintenance.returning,
    () => {},
  );
  let asked = 0;
  const observer = new QueryObserver(client, {
    queryKey: ['list'],
    queryFn: () => Promise.resolve((asked += 1)),
  });
  client.setQueryData(['list'], 0, { updatedAt: 1 });
  const hide = observer.subscribe(() => {});
  expect(asked).toBe(0);
  maintenance.returning = false;
  await client.invalidateQueries();
  expect(asked).toBe(1);
  hide();
  client.setQueryData(['list'], 0, { updatedAt: 1 });
  const stop = observer.subscribe(() => {});
  expect(asked).toBe(2);
  stop();
  client.clear();
});

it('CON-1: a list that has changed on the server is asked for again, and no other; all of them where it is unknown which', async () => {
  const client = createQueryClient(
    () => false,
    () => {},
  );
  const asked: string[] = [];
  const listeners: ((event: Extract<ServerEvent, { type: 'changed' }>) => void)[] = [];
  const live = {
    on: (_type: string, listener: (typeof listeners)[number]) => {
      listeners.push(listener);
      return () => {};
    },
  } as unknown as Pick<LiveEvents, 'on'>;
  const waits: { ms: number; over: () => void }[] = [];
  const clock = { after: (ms: number, over: () => void) => (waits.push({ ms, over }), () => {}) };
  followLists(client, live, clock);
  const changed = (list: string | null, within: number) => {
    for (const listener of listeners) listener({ type: 'changed', list, within });
  };
  for (const list of ['links', 'notes']) {
    client.setQueryData([list, 'all'], list);
    new QueryObserver(client, {
      queryKey: [list, 'all'],
      queryFn: () => Promise.resolve(asked.push(list)),
    }).subscribe(() => {});
  }
  changed('links', 0);
  expect(asked).toEqual(['links']);
  changed(null, 0);
  expect(asked.toSorted()).toEqual(['links', 'links', 'notes']);
  changed('notes', 5_000);
  expect(asked).toHaveLength(3);
  const [wait] = waits;
  expect(wait?.ms).toBeLessThanOrEqual(5_000);
  wait?.over();
  await expect.poll(() => asked.filter((list) => list === 'notes')).toHaveLength(2);
  client.clear();
});

it('CON-1: what is reloaded while it loads for the first time is asked for once more, so that it shows the change', async () => {
  const client = createQueryClient(
    () => false,
    () => {},
  );
  const first = Promise.withResolvers<string>();
  const answers = [first.promise, Promise.resolve('after it')];
  const observer = new QueryObserver(client, {
    queryKey: ['people'],
    queryFn: () => answers.shift() ?? Promise.reject(new Error('It is asked for a third time.')),
  });
  const stop = observer.subscribe(() => {});
  const reloaded = client.invalidateQueries({ queryKey: ['people'] });
  first.resolve('before the change');
  await reloaded;
  expect(observer.getCurrentResult()).toMatchObject({ status: 'success', data: 'after it' });
  expect(answers).toEqual([]);
  stop();
  client.clear();
});

it('CON-1: what could not be loaded without a connection is loaded when it is back, and what was refused is not', async () => {
  const client = createQueryClient(
    () => false,
    () => {},
  );
  const connected = createStore(true);
  followConnection(client, { connected });
  let isUp = false;
  const asked = { list: 0, refused: 0 };
  const list = new QueryObserver(client, {
    queryKey: ['list'],
    retry: false,
    queryFn() {
      asked.list += 1;
      return isUp ? Promise.resolve('there') : Promise.reject(networkProblem(null));
    },
  });
  const refused = new QueryObserver(client, {
    queryKey: ['refused'],
    retry: false,
    queryFn() {
      asked.refused += 1;
      return Promise.reject(answered(403, 'RIGHT_MISSING'));
    },
  });
  const stops = [list, refused].map((one) => one.subscribe(() => {}));
  await expect
    .poll(() => [list, refused].map((one) => one.getCurrentResult().status))
    .toEqual(['error', 'error']);
  connected.set(false);
  isUp = true;
  connected.set(true);
  await expect.poll(() => list.getCurrentResult().data).toBe('there');
  expect(asked).toEqual({ list: 2, refused: 1 });
  for (const stop of stops) stop();
  client.clear();
});

import { QueryObserver } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { networkProblem, ProblemError } from '../platform/problem-error.ts';
import { createQueryClient, isWorthAnotherTry } from './query-client.ts';

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
    expect(isWorthAnotherTry(0, answered(status, code))).toBe(false);
  });

  it('CON-1: a lost connection and a server in trouble are tried three times', () => {
    for (const error of [networkProblem(null), answered(500, 'INTERNAL'), answered(503, 'UNAVAILABLE')]) {
      expect([0, 1, 2].map((failures) => isWorthAnotherTry(failures, error))).toEqual([true, true, false]);
    }
  });
});

it('MAINT-3: a screen that shows again after maintenance asks for its lists when its turn has come, not at once', async () => {
  const maintenance = { returning: true };
  const client = createQueryClient(() => maintenance.returning);
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

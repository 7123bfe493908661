import { expect, it } from 'vitest';
import { ProblemError } from '../calls/problem-error.ts';
import { detailOf, listState } from './list-state.ts';

const t = ((key: string) => key) as Parameters<typeof detailOf>[0];
const refetch = async () => {};

it('CON-1: a page says that what it has shown is missing once the server knows it no more', () => {
  const error = new ProblemError({ status: 404, code: 'NOT_FOUND', title: 'Not found' });
  const query = {
    data: { id: 'one' },
    isPending: false,
    errorUpdateCount: 1,
    isFetching: false,
    error,
    refetch,
  };
  expect(detailOf(t, query, (data) => data).frame.state).toBe('missing');
});

it('CON-1: an error stays while it is retried, and does not change with a placeholder', () => {
  const retried = { data: undefined, isPending: true, isFetching: true, error: null, refetch };
  expect(listState(t, { ...retried, errorUpdateCount: 0 }).state).toBe('loading');
  expect(listState(t, { ...retried, errorUpdateCount: 1 })).toMatchObject({
    state: 'failed',
    retry: { busy: true },
  });
});

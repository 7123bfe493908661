import { expect, it } from 'vitest';
import { ProblemError } from '../calls/problem-error.ts';
import { detailState } from './list-state.ts';

it('CON-1: a page says that what it has shown is missing once the server knows it no more', () => {
  const error = new ProblemError({ status: 404, code: 'NOT_FOUND', title: 'Not found' });
  const query = { data: { id: 'one' }, isPending: false, isFetching: false, error, refetch: async () => {} };
  const t = ((key: string) => key) as Parameters<typeof detailState>[0];
  expect(detailState(t, query, false).state).toBe('missing');
});

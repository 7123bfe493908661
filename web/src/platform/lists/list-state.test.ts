import { expect, it } from 'vitest';
import { ProblemError } from '../calls/problem-error.ts';
import { detailOf } from './list-state.ts';

it('CON-1: a page says that what it has shown is missing once the server knows it no more', () => {
  const error = new ProblemError({ status: 404, code: 'NOT_FOUND', title: 'Not found' });
  const query = { data: { id: 'one' }, isPending: false, isFetching: false, error, refetch: async () => {} };
  const t = ((key: string) => key) as Parameters<typeof detailOf>[0];
  expect(detailOf(t, query, (data) => data).frame.state).toBe('missing');
});

import type { Insertable } from 'kysely';
import type { Tables } from '../platform/database/schema.ts';

/** A report without a sender, as it is stored: the least that its table takes. */
export const reportRow = (n: number, more: Partial<Insertable<Tables['report']>> = {}) => ({
  id: `r${n}`,
  number: n,
  event_id: `e${n}`,
  content_hash: 'h',
  reporter_id: null,
  name: '',
  email: '',
  message: 'm',
  source: '',
  url: '',
  associated_event_id: null,
  tags: '{}',
  context: '{}',
  status: 'new',
  search_key: '',
  created_at: 1,
  changed_at: 1,
  version: 1,
  ...more,
});

import * as z from 'zod/mini';
import { liveList } from '#contract/live-list.ts';
import { route } from '#contract/route.ts';
import { cleanLine, id, instant, line, version } from '#contract/text.ts';
import { reportLabel, reportOrder, reportSummary, reportTab } from './inbox.ts';
import { reportStatus } from './own-reports.ts';

/** Own filters of one person, and shared ones altogether. */
export const mostFilters = 50;

/** Saved filters that all operators share reach their browsers. */
export const sharedFilters = liveList({ list: 'report-filters', receivers: { right: 'REPORTS_READ' } });

/** What a saved filter finds, as the query of `listReports` has it. */
export const savedQuery = z.strictObject({
  search: z.optional(cleanLine(0, 200)),
  tab: z.optional(reportTab),
  status: z.optional(reportStatus),
  assignee: z.optional(id),
  label: z.optional(reportLabel),
  from: z.optional(instant),
  until: z.optional(instant),
  pictures: z.optional(z.enum(['with', 'without'])),
  lastWord: z.optional(reportSummary.shape.lastWord),
  order: z.optional(reportOrder),
});
export type SavedQuery = z.infer<typeof savedQuery>;

export const savedFilter = z.object({
  id,
  name: z.string(),
  filter: savedQuery,
  /** Whether all operators have it; otherwise the caller alone. */
  shared: z.boolean(),
  version,
});
export type SavedFilter = z.infer<typeof savedFilter>;

const access = { right: 'REPORTS_READ' } as const;
const name = line(1, 100);
const oneFilter = z.object({ filterId: id });

export const listSavedFilters = route({
  method: 'GET',
  path: '/v1/report-filters',
  summary: "The caller's own saved filters of the inbox and those that are shared, by name (BUG-8)",
  access,
  answer: z.array(savedFilter),
});

/** Shared ones take the right to change reports. */
export const addSavedFilter = route({
  method: 'POST',
  path: '/v1/report-filters',
  summary: 'Saves a filter of the inbox, for the caller or for all operators (BUG-8)',
  access,
  creates: true,
  body: z.strictObject({ name, filter: savedQuery, shared: z.boolean() }),
  answer: savedFilter,
  status: 201,
});

export const changeSavedFilter = route({
  method: 'PUT',
  path: '/v1/report-filters/:filterId',
  summary: 'Renames a saved filter, or replaces what it finds (BUG-8)',
  access,
  params: oneFilter,
  body: z.strictObject({ name, filter: savedQuery, version }),
  answer: savedFilter,
});

export const removeSavedFilter = route({
  method: 'DELETE',
  path: '/v1/report-filters/:filterId',
  summary: 'Removes a saved filter (BUG-8)',
  access,
  params: oneFilter,
  answer: 'nothing',
});

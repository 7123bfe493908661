import * as z from 'zod/mini';
import type { Right } from '#features/permissions/contract/permissions.ts';
import { liveList } from '#contract/live-list.ts';
import { route } from '#contract/route.ts';
import { cleanLine, id, line, version } from '#contract/text.ts';

/** The largest number of views in one list: a person's own views, and separately the shared views. */
export const mostViews = 50;

/** The lists of the console that have views, each with the right to read the list and the right to share a view. */
export const viewRights = {
  audit: { read: 'AUDIT_READ', share: 'AUDIT_READ' },
  errors: { read: 'DIAGNOSTICS_READ', share: 'DIAGNOSTICS_WRITE' },
  flags: { read: 'FLAGS_READ', share: 'FLAGS_WRITE' },
  people: { read: 'PEOPLE_READ', share: 'PEOPLE_WRITE' },
  reports: { read: 'REPORTS_READ', share: 'REPORTS_WRITE' },
} as const satisfies Record<string, { read: Right; share: Right }>;
export type ViewedList = keyof typeof viewRights;

const viewedList = z.enum(Object.keys(viewRights) as [ViewedList, ...ViewedList[]]);

/** Shared views reach the browsers of those who read the list. */
export const sharedViews = (list: ViewedList) =>
  liveList({ list: `views-${list}`, receivers: { right: viewRights[list].read } });

/** The search, filters and order of a list, by their parameter names in the address of its screen. */
export const viewQuery = z
  .record(z.string().check(z.regex(/^[a-z][A-Za-z]{0,39}$/)), cleanLine(1, 300))
  .check(z.refine((query) => Object.keys(query).length <= 20));
export type ViewQuery = z.infer<typeof viewQuery>;

export const view = z.object({
  id,
  name: z.string(),
  query: viewQuery,
  /** True: everyone who may read the list sees the view; false: only the caller does. */
  shared: z.boolean(),
  version,
});
export type View = z.infer<typeof view>;

// The handlers check the right, since it depends on the list.
const access = 'signed-in';
const name = line(1, 100);
const oneView = z.object({ viewId: id });

export const listViews = route({
  method: 'GET',
  path: '/v1/views',
  summary: "The caller's own views of a list and those that are shared, by name (CON-7)",
  access,
  query: z.strictObject({ list: viewedList }),
  answer: z.array(view),
});

export const addView = route({
  method: 'POST',
  path: '/v1/views',
  summary: 'Saves search, filters and order of a list, for the caller or for all who read it (CON-7)',
  access,
  creates: true,
  body: z.strictObject({ list: viewedList, name, query: viewQuery, shared: z.boolean() }),
  answer: view,
  status: 201,
});

export const changeView = route({
  method: 'PUT',
  path: '/v1/views/:viewId',
  summary: 'Renames a view, or replaces what it shows (CON-7)',
  access,
  params: oneView,
  body: z.strictObject({ name, query: viewQuery, version }),
  answer: view,
});

export const removeView = route({
  method: 'DELETE',
  path: '/v1/views/:viewId',
  summary: 'Removes a view (CON-7)',
  access,
  params: oneView,
  answer: 'nothing',
});

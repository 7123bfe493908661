import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { id, version } from '#contract/text.ts';

/** What becomes of an erased person's reports: stored without name, email and pictures, or removed. */
export const erasedReports = z.enum(['keep', 'remove']);
export type ErasedReports = z.infer<typeof erasedReports>;

const onePerson = z.object({ personId: id });

/** Everything that is removed when a person is erased, and what prevents it. */
export const erasurePreview = z.object({
  email: z.string(),
  name: z.string(),
  /** The text that is typed to confirm the erasure: the email address, or the name or id of a person without one. */
  confirmation: z.string(),
  reports: z.number(),
  /** Pictures of these reports. */
  pictures: z.number(),
  /** Other uploads. */
  files: z.number(),
  /** The size of files and pictures together. */
  bytes: z.number(),
  /** Where they are signed in now. */
  sessions: z.number(),
  apiTokens: z.number(),
  /** Entries of the audit that are by them or about them; they stay, without the person. */
  auditEntries: z.number(),
  erasedReports,
  /** Flags whose rules or texts name their address or id: these are for an operator to change. */
  flags: z.array(z.string()),
  /** Why the erasure would be refused now; null: it would not be. */
  hindrance: z.nullable(z.enum(['yourself', 'last-administrator'])),
});
export type ErasurePreview = z.infer<typeof erasurePreview>;

export const previewErasure = route({
  method: 'GET',
  path: '/v1/people/:personId/erasure',
  summary: 'What is deleted and what is kept when this person is erased (BUG-10)',
  access: { right: 'PEOPLE_WRITE' },
  params: onePerson,
  answer: erasurePreview,
});

export const erasePerson = route({
  method: 'POST',
  path: '/v1/people/:personId/erasure',
  summary: 'Erases a person permanently; what others need of their work stays under a pseudonym (BUG-10)',
  access: { right: 'PEOPLE_WRITE' },
  fresh: true,
  params: onePerson,
  body: z.strictObject({
    /** As in the preview. */
    confirmation: z.string().check(z.minLength(1), z.maxLength(254)),
    /** As the preview showed it: the fate of reports must not change between preview and erasure. */
    reports: erasedReports,
  }),
  answer: z.object({
    /** The pseudonym in the person's place from now on. */
    pseudonym: z.string(),
    /** False: the person is removed, and their name is still being replaced elsewhere. */
    finished: z.boolean(),
  }),
});

export const exportPerson = route({
  method: 'GET',
  path: '/v1/users/:userId/export',
  summary: 'Everything that is kept about a person, as one ZIP file (BUG-10)',
  access: { self: 'userId', orRight: 'PEOPLE_WRITE' },
  params: z.object({ userId: id }),
  answer: { raw: 'application/zip' },
});

/** About how many bytes an export will have, for a progress display. */
export const exportSizeHeader = 'x-expected-bytes';

/** Days that a report may be stored, at most. */
export const mostRetentionDays = 36_500;

export const retention = z.object({
  /** Reports older than so many days are removed with their pictures; null: they stay. */
  reportDays: z.nullable(z.int().check(z.minimum(1), z.maximum(mostRetentionDays))),
  erasedReports,
  version,
});
export type Retention = z.infer<typeof retention>;

export const getRetention = route({
  method: 'GET',
  path: '/v1/retention',
  summary: 'The data retention of reports, and the fate of those of erased people (BUG-10)',
  access: { right: 'REPORTS_READ' },
  answer: retention,
});

export const setRetention = route({
  method: 'PUT',
  path: '/v1/retention',
  summary: 'Sets the data retention; older reports are deleted within ten minutes (BUG-10)',
  access: { right: 'SETTINGS_WRITE' },
  body: z.strictObject({ ...retention.shape }),
  answer: retention,
});

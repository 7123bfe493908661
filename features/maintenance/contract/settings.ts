import * as z from 'zod/mini';
import { maintenanceMode, maintenanceStatus, severity } from './maintenance.ts';
import { peopleNames } from '#features/people/contract/names.ts';
import { route } from '#contract/route.ts';
import { instant, prose, version } from '#contract/text.ts';
import { longestNotice, writtenText } from './texts.ts';

export const maintenanceSettings = z.object({
  mode: maintenanceMode,
  text: z.string(),
  /** `text` in each language in which it was written. */
  texts: writtenText,
  severity,
  expectedEnd: z.nullable(instant),
  since: z.nullable(instant),
  changedAt: z.nullable(instant),
  /** The name or email of the operator who last changed the settings; null: they were never changed. */
  changedBy: z.nullable(z.string()),
  names: peopleNames,
  version,
  /** `flag-host`: the two flags come from another GrowthBook host (FLAGS_HOST) and cannot be set here. */
  source: z.enum(['portico', 'flag-host']),
  /** A file in the data folder keeps maintenance off, whatever is set or planned (break-glass, MAINT-6). */
  heldOpen: z.boolean(),
  /** What is in force now, planned windows included. */
  inForce: maintenanceStatus,
});
export type MaintenanceSettings = z.infer<typeof maintenanceSettings>;

export const getMaintenance = route({
  method: 'GET',
  path: '/v1/maintenance',
  summary: 'The maintenance switch and notice, for the console',
  access: { right: 'MAINTENANCE_WRITE' },
  closed: 'open',
  answer: maintenanceSettings,
});

export const setMaintenance = route({
  method: 'PUT',
  path: '/v1/maintenance',
  summary: 'Sets the notice and the manual switch; every open browser follows at once',
  access: { right: 'MAINTENANCE_WRITE' },
  closed: 'open',
  body: z.strictObject({
    mode: maintenanceMode,
    text: prose(0, longestNotice),
    /** `text` in each language in which it was written; left out: in no other language. */
    texts: z._default(writtenText, {}),
    severity,
    expectedEnd: z.nullable(instant),
    version,
  }),
  answer: maintenanceSettings,
});

import * as z from 'zod/mini';
import { projectId } from './diagnostics.ts';
import { liveList } from '#contract/live-list.ts';
import { peopleNames } from '#features/people/contract/names.ts';
import { route } from '#contract/route.ts';
import { id, instant, line, version } from '#contract/text.ts';
import { emailAddress } from '#contract/email-address.ts';

export const diagnosticSettings = z.object({
  /** Events older than `eventDays` are removed, and the oldest events while all take more than `eventMegabytes`. */
  eventDays: z.int().check(z.minimum(1), z.maximum(3_650)),
  eventMegabytes: z.int().check(z.minimum(10), z.maximum(1_000_000)),
  /** Whether a new error raises an alert, and whether a resolved error that occurs again does. */
  alertNew: z.boolean(),
  alertReturned: z.boolean(),
  /** An error with `alertEvents` events within `alertMinutes` raises an alert; null: no such alert. */
  alertEvents: z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000))),
  alertMinutes: z.int().check(z.minimum(1), z.maximum(1_440)),
  /** The addresses that alerts are mailed to. Webhooks receive alerts in any case. */
  alertMails: z.array(emailAddress).check(z.maxLength(20)),
  version,
});
export type DiagnosticSettings = z.infer<typeof diagnosticSettings>;

const access = { right: 'SETTINGS_WRITE' } as const;

const answer = z.object({
  ...diagnosticSettings.shape,
  /** What is stored now, estimated. */
  stored: z.object({ events: z.number(), bytes: z.number() }),
  /** Whether a mail server is set up. */
  mails: z.boolean(),
});

export const getDiagnosticSettings = route({
  method: 'GET',
  path: '/v1/diagnostics/settings',
  summary: 'How long errors are stored, and when they raise an alert (DIAG-2)',
  access,
  answer,
});

export const setDiagnosticSettings = route({
  method: 'PUT',
  path: '/v1/diagnostics/settings',
  summary: 'Sets how long errors are stored, and when they raise an alert (DIAG-2)',
  access,
  body: z.strictObject({ ...diagnosticSettings.shape }),
  answer,
});

/** Changes of projects and their keys are published to the browsers of people who manage projects. */
export const projectList = liveList({ list: 'diagnostic-projects', receivers: { right: 'SETTINGS_WRITE' } });

export const projectLimits = { projects: 50, keysEach: 20 } as const;

/** The project of Portico's own web and server (DIAG-1), which cannot be removed. */
export const ownProject = 1;

export const projectKey = z.object({
  /** The public key: 32 hexadecimal digits. */
  key: z.string(),
  /** What an SDK is configured with: address, key and project in one string. */
  dsn: z.string(),
  createdAt: instant,
  /** Null for a key that Portico itself created. */
  createdBy: z.nullable(z.string()),
});
export type ProjectKey = z.infer<typeof projectKey>;

export const project = z.object({
  id: z.number(),
  name: z.string(),
  /** The DSN of another host that receives every envelope too; null: none. */
  forwardTo: z.nullable(z.string()),
  /** The keys in use, oldest first. */
  keys: z.array(projectKey),
  createdAt: instant,
  createdBy: z.nullable(z.string()),
  version,
});
export type Project = z.infer<typeof project>;

const oneProject = z.object({ projectId });

export const listProjects = route({
  method: 'GET',
  path: '/v1/diagnostics/projects',
  summary: 'The projects whose SDKs may report errors, with their keys',
  access,
  answer: z.object({ projects: z.array(project), names: peopleNames }),
});

export const addProject = route({
  method: 'POST',
  path: '/v1/diagnostics/projects',
  summary: 'Adds a project with a first key',
  access,
  creates: true,
  body: z.strictObject({ name: line(1, 80) }),
  status: 201,
  answer: project,
});

export const changeProject = route({
  method: 'PUT',
  path: '/v1/diagnostics/projects/:projectId',
  summary: 'Renames a project, and sets where its envelopes are forwarded to',
  access,
  params: oneProject,
  body: z.strictObject({
    name: line(1, 80),
    /** `https://<key>@<host>/<project>`; null: envelopes are not forwarded. */
    forwardTo: z.nullable(line(1, 500)),
    version,
  }),
  answer: project,
});

export const removeProject = route({
  method: 'DELETE',
  path: '/v1/diagnostics/projects/:projectId',
  summary: 'Removes a project with its keys, errors and source maps',
  access,
  params: oneProject,
  answer: 'nothing',
});

export const addProjectKey = route({
  method: 'POST',
  path: '/v1/diagnostics/projects/:projectId/keys',
  summary: 'Adds a key to a project',
  access,
  fresh: true,
  creates: true,
  params: oneProject,
  status: 201,
  answer: projectKey,
});

export const revokeProjectKey = route({
  method: 'DELETE',
  path: '/v1/diagnostics/projects/:projectId/keys/:key',
  summary: 'Revokes a key: what is sent with it is refused from then on',
  access,
  params: z.object({ projectId, key: id }),
  answer: 'nothing',
});

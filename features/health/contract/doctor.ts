import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { id, instant } from '#contract/text.ts';

/** What is looked at, in this order: what needs another one comes after it. */
export const checks = [
  'configuration',
  'disk',
  'object-store',
  'database',
  'notifications',
  'clock',
  'mail',
  'webhooks',
  'backup',
  'server',
  'headers',
  'bodies',
  'streams',
  'websockets',
  'sign-in',
] as const;
export type Check = (typeof checks)[number];

/** Of these nothing can be said where the one before failed. */
export const needs: Partial<Record<Check, Check>> = {
  headers: 'server',
  bodies: 'server',
  streams: 'server',
  websockets: 'server',
};

export const logLevels = ['debug', 'info', 'warn'] as const;
/** How long another level lasts, milliseconds. */
export const otherLevelMs = 15 * 60_000;

const access = { right: 'SETTINGS_WRITE' } as const;

export const lookAt = route({
  method: 'POST',
  path: '/v1/health/checks/:check',
  summary: 'Looks at one thing that the installation needs; none is found where it does not apply (RUN-8)',
  access,
  closed: 'open',
  params: z.object({ check: id }),
  answer: z.object({
    steps: z.array(
      z.object({
        name: z.string(),
        outcome: z.enum(['ok', 'warning', 'failed']),
        /** What was found and what to do, in English. */
        message: z.string(),
      }),
    ),
  }),
});

const log = z.object({
  /** Of this process, since its start; the latest first. */
  warnings: z.array(
    z.object({
      at: instant,
      level: z.enum(['warn', 'error', 'fatal']),
      message: z.string(),
      /** The id that the answer carried, where it was a request. */
      requestId: z.nullable(z.string()),
      /** Method, path and status of the request. */
      request: z.nullable(z.string()),
      /** Of the error, its causes after it. */
      reason: z.nullable(z.string()),
    }),
  ),
  level: z.string(),
  /** When the level of the configuration counts again; null: it does. */
  until: z.nullable(instant),
});
export type Log = z.infer<typeof log>;
export type Warning = Log['warnings'][number];

export const getLog = route({
  method: 'GET',
  path: '/v1/health/log',
  summary: 'The latest 500 warnings and errors of the process that answers, and its log level (RUN-12)',
  access,
  closed: 'open',
  answer: log,
});

export const setLogLevel = route({
  method: 'PUT',
  path: '/v1/health/log/level',
  summary: 'Changes the log level of all processes for 15 minutes; null: back to LOG_LEVEL (RUN-12)',
  access,
  closed: 'open',
  body: z.strictObject({ level: z.nullable(z.enum(logLevels)) }),
  answer: log,
});

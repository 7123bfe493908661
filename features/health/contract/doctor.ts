import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { id, instant } from '#contract/text.ts';

/** The checks in their order: a check that needs another one comes after that one. */
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

/** Checks that have no result where the check that they need failed. */
export const needs: Partial<Record<Check, Check>> = {
  headers: 'server',
  bodies: 'server',
  streams: 'server',
  websockets: 'server',
};

export const logLevels = ['debug', 'info', 'warn'] as const;
/** How long a changed log level lasts, milliseconds. */
export const otherLevelMs = 15 * 60_000;

const access = { right: 'SETTINGS_WRITE' } as const;

/** A sentence of the catalogues below `HEALTH.FINDINGS`, and its values. */
const finding = z.object({ key: z.string(), values: z.record(z.string(), z.string()) });

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
        /** What was found and what to do, in sentences of the catalogues; none where only `message` has words. */
        findings: z.array(finding),
        /** The same in English. */
        message: z.string(),
      }),
    ),
  }),
});

const log = z.object({
  /** Warnings of this process since its start, the latest first. */
  warnings: z.array(
    z.object({
      at: instant,
      level: z.enum(['warn', 'error', 'fatal']),
      message: z.string(),
      /** The id that the answer to the request carried; null without a request. */
      requestId: z.nullable(z.string()),
      /** Method, path and status of the request. */
      request: z.nullable(z.string()),
      /** The message of the error, then those of its causes. */
      reason: z.nullable(z.string()),
    }),
  ),
  level: z.string(),
  /** When the configured level applies again; null while it applies. */
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

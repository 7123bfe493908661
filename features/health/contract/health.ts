import * as z from 'zod/mini';
import { route } from '#contract/route.ts';

export const healthz = route({
  method: 'GET',
  path: '/healthz',
  anyHost: true,
  summary: 'The process lives (RUN-2)',
  access: 'public',
  closed: 'open',
  answer: z.object({ status: z.literal('ok') }),
});

export const readyz = route({
  method: 'GET',
  path: '/readyz',
  anyHost: true,
  summary: 'The process takes requests: database reachable, not shutting down (RUN-2)',
  access: 'public',
  closed: 'open',
  answer: z.object({ status: z.literal('ready') }),
});

export const openapi = route({
  method: 'GET',
  path: '/openapi.json',
  summary: 'This description, made from the same declarations (API-1)',
  access: 'public',
  closed: 'open',
  answer: { raw: 'application/json' },
});

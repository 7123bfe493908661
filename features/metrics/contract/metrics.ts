import { route } from '#contract/route.ts';

/** Prometheus requests this at the address of a process, so any host is accepted. */
export const readMetrics = route({
  method: 'GET',
  path: '/metrics',
  anyHost: true,
  summary:
    'Metrics in the text format of Prometheus, with METRICS_TOKEN as bearer; 404 where that is not set (RUN-6)',
  access: 'public',
  closed: 'open',
  answer: { raw: 'text/plain' },
});

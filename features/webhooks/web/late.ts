import type { LateFeature } from '#web/feature.ts';

export const late: LateFeature = {
  subjects: {
    webhook: '/webhooks?webhook=$id',
  },
  actions: [
    { name: 'WEBHOOK', icon: 'external', right: 'SETTINGS_WRITE', to: '/webhooks', search: { do: 'new' } },
  ],
  attention: {
    webhook: {
      look: 'high',
      link: ({ id }) => ({ to: '/webhooks', search: { webhook: id } }),
      words({ name, failures, status, nextTryAt, since }, { part, formats, now }) {
        const answer = part(status === null ? 'NO_ANSWER' : 'STATUS', {
          status,
          since: formats.relative(since, now),
        });
        const next =
          nextTryAt === null ? part('NOT_AGAIN') : part('AGAIN', { time: formats.time(nextTryAt) });
        return {
          title: { name, count: failures, number: formats.number(failures) },
          text: `${answer} · ${next}`,
        };
      },
    },
  },
};

import { listDeliveries, listWebhooks, type WebhookDelivery } from '#features/webhooks/contract/webhooks.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';
import { pages } from '#web/platform/lists/pages.ts';

export const webhooksKey = ['webhooks'] as const;

const second = 1_000;

export function webhooksQuery(api: Api) {
  return queryOptions({
    queryKey: [...webhooksKey, 'list'],
    queryFn: ({ signal }) => api.call(listWebhooks, {}, { signal }),
    refetchInterval: 15 * second,
  });
}

/** The log of one webhook, page by page; polled, more often while a delivery is due. */
export function deliveriesQuery(api: Api, webhookId: string, now: () => number) {
  return infiniteQueryOptions({
    queryKey: [...webhooksKey, 'deliveries', webhookId],
    queryFn: ({ pageParam, signal }) =>
      api.call(listDeliveries, { params: { webhookId }, query: pageParam }, { signal }),
    ...pages,
    refetchInterval: ({ state }) =>
      nextLook(
        (state.data?.pages ?? []).flatMap(({ deliveries }) => deliveries),
        now(),
      ),
  });
}

/** Milliseconds until the next waiting delivery may have an outcome. */
export function nextLook(deliveries: readonly Pick<WebhookDelivery, 'nextTryAt'>[], now: number): number {
  const next = Math.min(...deliveries.map(({ nextTryAt }) => nextTryAt ?? Infinity));
  return Math.min(Math.max(next - now, second), 15 * second);
}

import { listDeliveries, listWebhooks, type WebhookDelivery } from '#features/webhooks/contract/webhooks.ts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { routePages, routeQuery } from '#web/platform/calls/route-query.ts';

export const webhooksKey = ['webhooks'] as const;

const second = 1_000;

export const webhooksQuery = {
  ...routeQuery([...webhooksKey, 'list'], listWebhooks, {}),
  refetchInterval: 15 * second,
};

/** The log of one webhook, page by page; polled, more often while a delivery is due. */
export const deliveriesQuery = (webhookId: string, now: () => number) =>
  infiniteQueryOptions({
    ...routePages([...webhooksKey, 'deliveries', webhookId], listDeliveries, { params: { webhookId } }),
    refetchInterval: ({ state }) =>
      nextLook(
        (state.data?.pages ?? []).flatMap(({ deliveries }) => deliveries),
        now(),
      ),
  });

/** Milliseconds until the next waiting delivery may have an outcome. */
export function nextLook(deliveries: readonly Pick<WebhookDelivery, 'nextTryAt'>[], now: number): number {
  const next = Math.min(...deliveries.map(({ nextTryAt }) => nextTryAt ?? Infinity));
  return Math.min(Math.max(next - now, second), 15 * second);
}

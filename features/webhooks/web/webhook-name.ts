import type { Webhook } from '#features/webhooks/contract/webhooks.ts';

const gone = 410;

/** Whether it was switched off by its receiver: the last answer was 410 Gone. */
export function isGone({ enabled, lastDelivery }: Pick<Webhook, 'enabled' | 'lastDelivery'>): boolean {
  return !enabled && lastDelivery?.status === gone;
}

/** The name of a webhook: its description, else its address. */
export function webhookName({ url, description }: Pick<Webhook, 'url' | 'description'>): string {
  return description === '' ? (URL.parse(url)?.host ?? url) : description;
}

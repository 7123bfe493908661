import type { Webhook } from '@portico/contract/webhooks';

/** What a webhook is called: what its operator wrote, else where it leads. */
export function webhookName({ url, description }: Pick<Webhook, 'url' | 'description'>): string {
  return description === '' ? (URL.parse(url)?.host ?? url) : description;
}

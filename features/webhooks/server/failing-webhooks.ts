import { isGood } from '#features/webhooks/contract/webhooks.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { readDeliveries } from './deliveries.store.ts';
import { readWebhooks } from './webhooks.store.ts';

/** A webhook whose last try failed. */
export type FailingWebhook = {
  id: string;
  /** Its description, else the host of its address. */
  name: string;
  /** How many tries of its latest deliveries failed since the last one that arrived. */
  failures: number;
  /** The first of these. */
  since: number;
  /** What the receiver answered last; null: nothing. */
  status: number | null;
  /** When the last delivery is tried again; null: not at all. */
  nextTryAt: number | null;
};

const latest = 10;

/** The webhooks that are switched on and whose last try failed. */
export async function failingWebhooks(read: Reader): Promise<FailingWebhook[]> {
  const failing: FailingWebhook[] = [];
  for (const { id, url, description, enabled, lastDelivery } of await readWebhooks(read)) {
    if (!enabled || lastDelivery === null || lastDelivery.ok) continue;
    const { deliveries } = await readDeliveries(read, id, { before: null, limit: latest });
    const tries = deliveries.flatMap(({ attempts }) => attempts).toSorted((a, b) => b.at - a.at);
    const good = tries.findIndex(isGood);
    const run = good === -1 ? tries : tries.slice(0, good);
    failing.push({
      id,
      name: description === '' ? new URL(url).host : description,
      failures: Math.max(1, run.length),
      since: run.at(-1)?.at ?? lastDelivery.at,
      status: lastDelivery.status,
      nextTryAt: deliveries.find(({ state }) => state === 'waiting')?.nextTryAt ?? null,
    });
  }
  return failing;
}

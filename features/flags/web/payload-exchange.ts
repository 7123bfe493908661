import * as z from 'zod/mini';
import type { Broadcast } from '#web/platform/tabs/broadcast.ts';
import type { Readable } from '#web/platform/state/store.ts';

/*
 * The tabs of one browser belong to one person, so a personal payload, like a plain one, is the same for all
 * of them: the leading tab fetches it and passes it on, and nine other tabs cost the server nothing. A
 * payload that was evaluated for attributes of one tab (remote evaluation, where the address of the page
 * counts) is not: there the leader passes on only that something has changed, and each tab fetches its own.
 *
 * Messages can cross with a tab's own fetch, or a tab can miss one while it loads. So the leader also sends
 * its version after each poll, and a tab that holds another one fetches. Only the leader sends, and it does
 * not listen: two tabs that are served by differing replicas cannot chase each other.
 */

/** `text` is the payload as it came; `version` distinguishes it from others. */
const heldPayload = z.object({ text: z.string(), version: z.string(), etag: z.nullable(z.string()) });
export type HeldPayload = z.infer<typeof heldPayload>;

export const payloadMessage = z.discriminatedUnion('type', [
  /** `of` names the host, key and person of the payload; only tabs with the same use it. */
  z.object({ type: z.literal('payload'), of: z.string(), payload: heldPayload }),
  z.object({ type: z.literal('version'), of: z.string(), version: z.string() }),
]);
export type PayloadMessage = z.infer<typeof payloadMessage>;

export type ExchangeDependencies = {
  broadcast: Broadcast<PayloadMessage>;
  leader: Readable<boolean>;
  /** Host, key and person of this tab's payload. */
  of: () => string;
  /** Whether all tabs have the same payload. */
  shared: boolean;
  held: () => HeldPayload | null;
  /** The leader has polled; `changed` is a payload to take from it. */
  onPolled(changed: HeldPayload | null): void;
  /** The leader holds another payload than this tab. */
  onDiffers(): void;
};

/** Joins the exchange; after each load the leading tab calls `loaded`, which sends to the others. */
export function joinPayloadExchange(dependencies: ExchangeDependencies): { loaded(): void; stop(): void } {
  const { broadcast, leader, of } = dependencies;
  let sent: string | null = null;

  const stop = broadcast.subscribe((message) => {
    if (leader.get() || message.of !== of()) return;
    const own = dependencies.held();
    const version = message.type === 'payload' ? message.payload.version : message.version;
    if (own?.version === version) dependencies.onPolled(null);
    else if (message.type === 'version') dependencies.onDiffers();
    else if (own === null || ageOf(message.payload, own) !== 'older') dependencies.onPolled(message.payload);
  });

  return {
    loaded() {
      const payload = dependencies.held();
      if (payload === null || !leader.get()) return;
      const key = `${of()} ${payload.version}`;
      if (dependencies.shared && sent !== key) broadcast.post({ type: 'payload', of: of(), payload });
      else broadcast.post({ type: 'version', of: of(), version: payload.version });
      sent = key;
    },
    stop,
  };
}

/**
 * How one payload relates to another. Two that differ with the same date (two people's, a change of roles)
 * have no order.
 */
export function ageOf(one: HeldPayload, other: HeldPayload): 'same' | 'older' | 'newer' | 'unknown' {
  if (one.version === other.version) return 'same';
  const [mine, theirs] = [Date.parse(dateUpdatedOf(one.text)), Date.parse(dateUpdatedOf(other.text))];
  if (mine < theirs) return 'older';
  return mine > theirs ? 'newer' : 'unknown';
}

/** `dateUpdated` of a payload, ISO 8601; empty where there is none. Throws where it is not JSON. */
export function dateUpdatedOf(text: string): string {
  const payload: unknown = JSON.parse(text);
  const date =
    typeof payload === 'object' && payload !== null && 'dateUpdated' in payload ? payload.dateUpdated : '';
  return typeof date === 'string' ? date : '';
}

import type { Boot } from '#contract/boot.ts';
import type { Bearer } from '#web/platform/calls/call.ts';
import { networkProblem } from '#web/platform/calls/problem-error.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import { dateUpdatedOf, type HeldPayload } from './payload-exchange.ts';

export type PayloadFetch = {
  /** For the SDK's `helpers.fetchFeaturesCall`. */
  fetchFeatures(from: { host: string; clientKey: string }): Promise<Response>;
  /** For the SDK's `helpers.fetchRemoteEvalCall`. */
  fetchEvaluation(from: { host: string; clientKey: string; payload: unknown }): Promise<Response>;
  /** The last good payload of this tab, fetched or passed on by another. */
  held(): HeldPayload | null;
  take(payload: HeldPayload): void;
  /** Drops it: it belonged to another person. */
  forget(): void;
};

export type PayloadFetchDependencies = {
  fetch: typeof fetch;
  clock: Clock;
  bearer: Bearer;
  kind: Boot['flags']['kind'];
  /** Whether the flag host is Portico itself: it alone gets the bearer. */
  sameOrigin: boolean;
  /** The signal of the load that is under way. */
  signal: () => AbortSignal;
};

const timeout = 30_000;

/**
 * Fetches flag payloads for the SDK (FLAG-8). `t_` gives every request its own address, so the browser's
 * cache is of no use; instead the last payload is stored here and its ETag sent. The SDK throws on 304, so it
 * receives the stored payload.
 */
export function createPayloadFetch(dependencies: PayloadFetchDependencies): PayloadFetch {
  let held: HeldPayload | null = null;

  function request(address: string, init: RequestInit, headers: Headers): Promise<Response> {
    const signal = AbortSignal.any([dependencies.signal(), AbortSignal.timeout(timeout)]);
    return dependencies
      .fetch(address, { ...init, headers, signal, cache: 'no-store' })
      .catch((error: unknown) => {
        throw networkProblem(error);
      });
  }

  async function withBearer(send: (headers: Headers) => Promise<Response>): Promise<Response> {
    const headers = (token: string | null) =>
      new Headers(token === null ? {} : { authorization: `Bearer ${token}` });
    if (dependencies.kind !== 'personal' || !dependencies.sameOrigin) return send(headers(null));
    // Without a sign-in the payload is the anonymous one.
    const token = await dependencies.bearer.token().catch(() => null);
    const response = await send(headers(token));
    if (response.status !== 401 || token === null) return response;
    return send(headers(await dependencies.bearer.renewed(token).catch(() => null)));
  }

  async function remember(response: Response): Promise<Response> {
    if (!response.ok) return response;
    const text = await response.text();
    held = {
      text,
      version: versionOf(dependencies.kind, response.headers.get('etag'), text),
      etag: response.headers.get('etag'),
    };
    return answerWith(text, response);
  }

  return {
    fetchFeatures({ host, clientKey }) {
      const address = `${host}/api/features/${encodeURIComponent(clientKey)}?t_=${dependencies.clock.now()}`;
      return withBearer(async (headers) => {
        const last = held;
        if (last?.etag != null) headers.set('if-none-match', last.etag);
        const response = await request(address, {}, headers);
        return response.status === 304 && last !== null
          ? answerWith(last.text, response)
          : remember(response);
      });
    },
    fetchEvaluation({ host, clientKey, payload }) {
      const headers = new Headers({ 'content-type': 'application/json' });
      const init = { method: 'POST', body: JSON.stringify(payload) };
      return request(`${host}/api/eval/${encodeURIComponent(clientKey)}`, init, headers).then(remember);
    },
    held: () => held,
    take(payload) {
      held = payload;
    },
    forget() {
      held = null;
    },
  };
}

/** The SDK reads the body and one header: whether the host has a stream. */
function answerWith(text: string, { headers }: Response): Response {
  const streams = headers.get('x-sse-support');
  return new Response(text, { headers: streams === null ? {} : { 'x-sse-support': streams } });
}

/**
 * Distinguishes two payloads. `dateUpdated` is the host's version, but it may stay while a personal payload
 * changes with the person's roles; their bytes, and so the ETag, differ.
 */
function versionOf(kind: Boot['flags']['kind'], etag: string | null, text: string): string {
  return kind === 'personal' && etag !== null ? etag : dateUpdatedOf(text);
}

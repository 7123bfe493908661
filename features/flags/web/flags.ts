import {
  type Attributes,
  type FeatureApiResponse,
  type FeatureDefinitions,
  GrowthBook,
  type JSONValue,
} from '@growthbook/growthbook-react';
import * as z from 'zod/mini';
import type { Boot } from '#contract/boot.ts';
import { base } from '#web/platform/base.ts';
import type { Bearer } from '#web/platform/calls/call.ts';
import { networkProblem } from '#web/platform/calls/problem-error.ts';
import { holdLeadingStream } from '#web/platform/live/leading-stream.ts';
import { createLiveSource, type LiveDependencies, liveMessage } from '#web/platform/live/live-source.ts';
import { createSignal, createStore, derive, type Readable } from '#web/platform/state/store.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import type { Profile } from '#features/profile/contract/profile.ts';

/** `text` is the payload as received; `version` distinguishes it from other payloads. */
const payload = z.object({ text: z.string(), version: z.string(), etag: z.nullable(z.string()) });
type Payload = z.infer<typeof payload>;
export const payloadMessage = liveMessage(payload);

export type FlagsState = {
  /** The status of the first load; a later failure keeps the known flags. */
  readonly status: 'pending' | 'success' | 'error';
  /** The features of the payload in force, as they were received. */
  readonly features: FeatureDefinitions;
  /**
   * True: the features came from the flag host after this page was opened, not from the cache of an earlier visit.
   */
  readonly fresh: boolean;
  /** The host's time of the payload in force, milliseconds since the epoch; 0 if the host sends none. */
  readonly changedAt: number;
};

export type Flags = {
  /** True: the flags come from Portico itself, not from another flag host. */
  readonly own: boolean;
  readonly state: Readable<FlagsState>;
  /** For `GrowthBookContext`: the SDK's own hooks work. */
  readonly growthbook: GrowthBook;
  /** The value for this person now; `fallback` while the flag is unknown or off. */
  value<T extends JSONValue>(key: string, fallback: T): T;
  /**
   * Calls the listener at each message of the stream, in the tab that holds the stream; the change itself may not
   * be loaded yet.
   */
  onStreamMessage(listener: () => void): () => void;
  /** Loads the flags again after a change that the flag host may not know of. */
  refresh(): Promise<void>;
};

export type FlagsDependencies = LiveDependencies<Payload> & {
  flags: Boot['flags'];
  /** Origin of this page. */
  origin: string;
  fetch: typeof fetch;
  openEventSource: (address: string) => EventSource;
  bearer: Bearer;
  /** The id of the signed-in person, or null. */
  person: Readable<string | null>;
  /** False while it is not yet known whether a person is signed in, and while they leave. */
  enabled: Readable<boolean>;
  /**
   * Attributes of the person and the page, for flags that are evaluated here or by a foreign host; never sent
   * for a personal payload.
   */
  attributes: Readable<Attributes>;
};

const every = 60_000;
const timeout = 30_000;

/**
 * The live flags of this tab (FLAG-8), evaluated by GrowthBook's SDK. All tabs of a browser share plain and
 * personal payloads. They do not share a payload of remote evaluation, which is evaluated for the attributes
 * of one tab, such as the address of its page.
 */
export function createFlags(dependencies: FlagsDependencies): Flags {
  const { flags, person, clock, bearer, attributes } = dependencies;
  const { kind } = flags;
  const own = flags.host === '';
  const host = own ? dependencies.origin + base : flags.host;
  const clientKey = encodeURIComponent(flags.clientKey);
  const state = createStore<FlagsState>({ status: 'pending', features: {}, fresh: false, changedAt: 0 });
  const streamed = createSignal();
  const hasStream = createStore(false);
  const growthbook = new GrowthBook(kind === 'personal' ? {} : { attributes: attributes.get() });
  // Flags that were evaluated for a person must not outlive the page.
  const cache = kind === 'plain' ? createPayloadCache(`${host}||${flags.clientKey}`, clock) : null;

  async function apply(content: FeatureApiResponse, more: Partial<FlagsState>): Promise<void> {
    await growthbook.setPayload(content);
    const before = state.get();
    const features = growthbook.getFeatures();
    // If equal features are parsed again, subscribers keep the same object.
    const same = JSON.stringify(before.features) === JSON.stringify(features);
    state.set({ ...before, ...more, features: same ? before.features : features });
  }

  async function load(held: Payload | null, cancelled?: AbortSignal): Promise<Payload | null> {
    const stored = state.get().status === 'pending' ? cache?.read() : undefined;
    if (stored) await apply(stored, {});
    const signal = AbortSignal.any([AbortSignal.timeout(timeout), ...(cancelled ? [cancelled] : [])]);
    const response = kind === 'remote-eval' ? await evaluate(signal) : await fetchFeatures(held, signal);
    if (!response.ok && response.status !== 304)
      throw new Error(`The flag host answered ${response.status}.`);
    if (response.headers.get('x-sse-support') === 'enabled') hasStream.set(true);
    if (response.status === 304) return null;
    const text = await response.text();
    const etag = response.headers.get('etag');
    // The date may stay while a personal payload changes with the person's roles; its ETag does not.
    const date = dateUpdatedOf(text);
    return { text, etag, version: kind === 'personal' && etag !== null ? etag : date };
  }

  /** `t_` gives every request its own address, so the browser's cache is of no use; the ETag replaces it. */
  async function fetchFeatures(held: Payload | null, signal: AbortSignal): Promise<Response> {
    const send = (token: string | null) =>
      request(`api/features/${clientKey}?t_=${clock.now()}`, signal, {
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(held?.etag == null ? {} : { 'if-none-match': held.etag }),
        },
      });
    if (kind !== 'personal' || !(own || host === dependencies.origin)) return send(null);
    // Without a sign-in, the request has no token and gets the anonymous payload.
    const token = await bearer.token().catch(() => null);
    const response = await send(token);
    if (response.status !== 401 || token === null) return response;
    return send(await bearer.renewed(token).catch(() => null));
  }

  function evaluate(signal: AbortSignal): Promise<Response> {
    const asked = { attributes: attributes.get(), forcedVariations: {}, forcedFeatures: [], url: '' };
    return request(`api/eval/${clientKey}`, signal, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    });
  }

  function request(path: string, signal: AbortSignal, init: RequestInit): Promise<Response> {
    return dependencies
      .fetch(`${host}/${path}`, { ...init, signal, cache: 'no-store' })
      .catch((error: unknown) => {
        throw networkProblem(error);
      });
  }

  const source = createLiveSource(dependencies, {
    what: 'flags.load',
    every,
    of: derive([dependencies.enabled, person], (enabled, id) =>
      enabled ? [host, flags.clientKey, kind === 'personal' ? id : ''].join(' ') : null,
    ),
    load,
    versionOf: ({ version }) => version,
    changedAt: ({ text }) => Date.parse(dateUpdatedOf(text)),
    shared: kind !== 'remote-eval',
    fromLeader: true,
    onValue({ text, version }) {
      const content = JSON.parse(text) as FeatureApiResponse;
      const changedAt = Date.parse(dateUpdatedOf(text)) || 0;
      void apply(content, { status: 'success', fresh: true, changedAt });
      cache?.write(content, version);
    },
    onFailure() {
      if (state.get().status === 'pending') state.set({ ...state.get(), status: 'error' });
    },
  });

  holdLeadingStream(dependencies, {
    open: () => dependencies.openEventSource(`${host}/sub/${clientKey}`),
    enabled: hasStream,
    on: {
      features(text) {
        source.take({ text, etag: null, version: dateUpdatedOf(text) });
        streamed.publish();
      },
      'features-updated'() {
        void source.refresh();
        streamed.publish();
      },
    },
    // Portico's own stream begins with the current state; streams of other hosts miss changes that were made
    // before they were open.
    onOpen: () => void (own ? null : source.refresh()),
  });

  attributes.subscribe(() => {
    if (kind === 'personal') return;
    void growthbook.setAttributes(attributes.get());
    state.set({ ...state.get() });
    if (kind === 'remote-eval') void source.refresh();
  });

  return {
    own,
    state,
    growthbook,
    value: (key, fallback) => growthbook.getFeatureValue(key, fallback) as typeof fallback,
    onStreamMessage: streamed.subscribe,
    refresh: source.refresh,
  };
}

/** `dateUpdated` of a payload, ISO 8601; empty if it has none. Throws if the text is not JSON. */
function dateUpdatedOf(text: string): string {
  const content: unknown = JSON.parse(text);
  const date =
    typeof content === 'object' && content !== null && 'dateUpdated' in content ? content.dateUpdated : '';
  return typeof date === 'string' ? date : '';
}

/**
 * Attributes for flags that Portico's server does not evaluate (FLAG-3); only the server knows roles and groups.
 */
export function attributesOf(person: Profile | null, page: { url: string; release: string }): Attributes {
  if (person === null) return { ...page };
  const { id, email, locale, timeZone, createdAt } = person;
  return {
    ...page,
    id,
    email,
    emailDomain: email.slice(email.lastIndexOf('@') + 1),
    createdAt,
    ...(locale === null ? {} : { locale }),
    ...(timeZone === null ? {} : { timeZone }),
  };
}

const staleAfter = 60_000;
const longestUse = 4 * 3_600_000;
const most = 10;
/** The storage key of GrowthBook's SDK, whose format is used here. */
const storageKey = 'gbFeaturesCache';

const entries = z.array(
  z.tuple([
    z.string(),
    z.object({ data: z.record(z.string(), z.unknown()), version: z.string(), staleAt: z.string() }),
  ]),
);

/** A cache of payloads from earlier visits, which are used until the flag host answers. */
function createPayloadCache(key: string, clock: Clock) {
  /** The oldest first. */
  function all(): z.infer<typeof entries> {
    try {
      return entries
        .parse(JSON.parse(localStorage.getItem(storageKey) ?? '[]'))
        .toSorted(([, a], [, b]) => Date.parse(a.staleAt) - Date.parse(b.staleAt))
        .slice(-most);
    } catch {
      return [];
    }
  }

  return {
    read(): Record<string, unknown> | null {
      const entry = all().find(([other]) => other === key)?.[1];
      const usedUntil = Date.parse(entry?.staleAt ?? '') - staleAfter + longestUse;
      return entry !== undefined && clock.now() < usedUntil ? entry.data : null;
    },
    write(data: Record<string, unknown>, version: string): void {
      const entry = { data, version, staleAt: new Date(clock.now() + staleAfter).toISOString() };
      const others = all().filter(([other]) => other !== key);
      try {
        localStorage.setItem(storageKey, JSON.stringify([...others.slice(1 - most), [key, entry]]));
      } catch {
        // The browser's storage is off or full.
      }
    },
  };
}

import {
  type Attributes,
  configureCache,
  type FeatureApiResponse,
  type FeatureDefinitions,
  GrowthBook,
  helpers,
  type JSONValue,
  setPolyfills,
} from '@growthbook/growthbook-react';
import type { Boot } from '#contract/boot.ts';
import type { Broadcast } from '#web/platform/tabs/broadcast.ts';
import type { Bearer } from '#web/platform/calls/call.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import { createPoller } from '#web/platform/live/poller.ts';
import type { ErrorRecord } from '#web/platform/record-error.ts';
import { createSignal, createStore, type Readable } from '#web/platform/state/store.ts';
import type { TabPresence } from '#web/platform/tabs/tab-presence.ts';
import {
  ageOf,
  dateUpdatedOf,
  type HeldPayload,
  joinPayloadExchange,
  type PayloadMessage,
} from './payload-exchange.ts';
import { createPayloadFetch } from './payload-fetch.ts';
import { openSharedSource } from './shared-source.ts';
import { base } from '#web/platform/base.ts';

export type FlagsState = {
  /** Of the first load; a later failure keeps the known flags. */
  readonly status: 'pending' | 'success' | 'error';
  /** The features of the payload in force, as they were received. */
  readonly features: FeatureDefinitions;
  /**
   * Whether they came from the flag host since this page was opened, not from the cache of an earlier visit.
   */
  readonly fresh: boolean;
  /** The time of the payload in force by its host, milliseconds since the epoch; 0 where it sends none. */
  readonly changedAt: number;
};

export type Flags = {
  /** They come from Portico itself, not from another flag host. */
  readonly own: boolean;
  readonly state: Readable<FlagsState>;
  /** For `GrowthBookContext`: the SDK's own hooks work. */
  readonly growthbook: GrowthBook;
  /** The value for this person now; `fallback` while the flag is unknown or off. */
  value<T extends JSONValue>(key: string, fallback: T): T;
  /**
   * Calls the listener at each message of the stream, in the tab that holds it; what it changed may not be
   * known yet.
   */
  onStreamMessage(listener: () => void): () => void;
  /** Loads again after a change that the flag host may not know of. */
  refresh(): Promise<void>;
  stop(): void;
};

export type FlagsDependencies = {
  flags: Boot['flags'];
  /** Origin of this page. */
  origin: string;
  fetch: typeof fetch;
  openEventSource: (address: string) => EventSource;
  clock: Clock;
  random: () => number;
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
  leader: Readable<boolean>;
  broadcast: Broadcast<PayloadMessage>;
  presence: TabPresence;
  errors: ErrorRecord;
};

const every = 60_000;
const notAsked: { readonly error: unknown } = { error: new Error('The flag host was not asked.') };
const cacheSettings = { staleTTL: 60_000, maxAge: 4 * 3_600_000, maxEntries: 10, idleStreamInterval: 20_000 };

/**
 * The live flags of this tab (FLAG-8), in GrowthBook's SDK. The SDK evaluates, decides when the stream is
 * opened again and closes it in a tab that is hidden for 20 s, and stores plain payloads for the next visit.
 * Its own polling stops when a stream opens, so polling is ours; fetching and the stream are shared between
 * tabs (`payload-exchange.ts`, `shared-source.ts`).
 */
export function createFlags(dependencies: FlagsDependencies): Flags {
  const { clientKey, kind } = dependencies.flags;
  const { person, errors } = dependencies;
  const own = dependencies.flags.host === '';
  const host = own ? dependencies.origin + base : dependencies.flags.host;
  const state = createStore<FlagsState>({ status: 'pending', features: {}, fresh: false, changedAt: 0 });
  const streamed = createSignal();
  let ofPerson = new AbortController();
  let signal = ofPerson.signal;
  let outcome = notAsked;
  let failing = false;
  let loading: Promise<unknown> = Promise.resolve();
  /** What another tab passed on during the load that is under way. */
  let passedOn: HeldPayload | null = null;

  const fetching = createPayloadFetch({
    fetch: dependencies.fetch,
    clock: dependencies.clock,
    bearer: dependencies.bearer,
    kind,
    sameOrigin: own || host === dependencies.origin,
    signal: () => signal,
  });

  const growthbook = new GrowthBook({
    apiHost: host,
    clientKey,
    remoteEval: kind === 'remote-eval',
    ...(kind === 'personal' ? {} : { attributes: dependencies.attributes.get() }),
  });
  growthbook.setRenderer(() => show({}));

  configureCache({ ...cacheSettings, backgroundSync: true });
  // Flags that were evaluated for a person, or cached under their attributes, must not outlive the page.
  if (kind !== 'plain') setPolyfills({ localStorage: { getItem: () => null, setItem: () => {} } });
  helpers.fetchFeaturesCall = (from) => noted(fetching.fetchFeatures(from));
  helpers.fetchRemoteEvalCall = (from) => noted(fetching.fetchEvaluation(from));
  helpers.eventSourceCall = (stream) =>
    openSharedSource({
      open: () => dependencies.openEventSource(`${stream.host}/sub/${encodeURIComponent(stream.clientKey)}`),
      leader: dependencies.leader,
      onFeatures(text) {
        fetching.take({ text, etag: null, version: dateUpdatedOf(text) });
        void apply(text);
        exchange.loaded();
        streamed.publish();
      },
      onChanged() {
        void poller.now();
        streamed.publish();
      },
      // Portico's own stream begins with the present state; with others, what changed before it was open is
      // missed.
      onOpen: () => void (own ? null : poller.now()),
    });

  function show(more: Partial<FlagsState>): void {
    const before = state.get();
    const features = growthbook.getFeatures();
    // Subscribers get the same object for the same payload parsed again.
    const same = JSON.stringify(before.features) === JSON.stringify(features);
    state.set({ ...before, ...more, features: same ? before.features : features });
  }

  /** Of this tab's answer and a payload that another tab passed on, the newer one is used. */
  function preferNewer(mine: HeldPayload, other: HeldPayload): void {
    const age = ageOf(mine, other);
    if (age === 'unknown') void poller.now();
    if (age !== 'older') return;
    fetching.take(other);
    void apply(other.text);
  }

  /** Applies a payload that this tab did not fetch. It counts once it is in force. */
  async function apply(text: string): Promise<void> {
    await growthbook.setPayload(JSON.parse(text) as FeatureApiResponse);
    show({ status: 'success', fresh: true, changedAt: timeOf(text) });
  }

  /** Records the outcome of a fetch, which the SDK does not report. */
  async function noted(response: Promise<Response>): Promise<Response> {
    try {
      const answer = await response;
      outcome = { error: answer.ok ? null : new Error(`The flag host answered ${answer.status}.`) };
      return answer;
    } catch (error) {
      outcome = { error };
      throw error;
    }
  }

  /**
   * Asks the flag host; the first time, plain payloads stored by an earlier visit are used until it answers.
   */
  async function load(within: AbortSignal): Promise<boolean> {
    if (!within.aborted) await ask(within);
    return within.aborted ? false : settle(outcome);
  }

  async function ask(within: AbortSignal): Promise<void> {
    signal = within;
    outcome = notAsked;
    passedOn = null;
    if (state.get().status === 'pending') await growthbook.init({ streaming: true });
    if (outcome === notAsked) await growthbook.refreshFeatures({ skipCache: true });
    signal = ofPerson.signal;
  }

  function settle({ error }: { readonly error: unknown }): boolean {
    const held = fetching.held();
    if (error === null && held !== null) {
      failing = false;
      show({ status: 'success', fresh: true, changedAt: timeOf(held.text) });
      if (passedOn !== null) preferNewer(held, passedOn);
      exchange.loaded();
      return true;
    }
    if (!failing) errors.record('flags.load', error);
    failing = true;
    if (state.get().status === 'pending') show({ status: 'error' });
    return false;
  }

  const poller = createPoller(dependencies, {
    every,
    enabled: dependencies.enabled,
    poll(cancelled) {
      const within = AbortSignal.any([cancelled, ofPerson.signal]);
      // The SDK joins a fetch that is under way, even an aborted one; so loads run one after the other.
      const mine = loading.then(() => load(within));
      loading = mine;
      return mine;
    },
  });

  const exchange = joinPayloadExchange({
    broadcast: dependencies.broadcast,
    leader: dependencies.leader,
    of: () => [host, clientKey, kind === 'personal' ? person.get() : ''].join(' '),
    shared: kind !== 'remote-eval',
    held: fetching.held,
    onPolled(changed) {
      poller.polledElsewhere();
      if (changed === null) return;
      fetching.take(changed);
      passedOn = changed;
      void apply(changed.text);
    },
    onDiffers: () => void poller.now(),
  });

  const stops = [
    exchange.stop,
    poller.stop,
    person.subscribe(() => {
      if (kind !== 'personal') return;
      ofPerson.abort();
      ofPerson = new AbortController();
      signal = ofPerson.signal;
      fetching.forget();
      void poller.now();
    }),
    dependencies.attributes.subscribe(() => {
      if (kind !== 'personal') void growthbook.setAttributes(dependencies.attributes.get());
    }),
  ];

  return {
    own,
    state,
    growthbook,
    value: (key, fallback) => growthbook.getFeatureValue(key, fallback) as typeof fallback,
    onStreamMessage: streamed.subscribe,
    refresh: poller.now,
    stop() {
      for (const stop of stops) stop();
      growthbook.destroy({ destroyAllStreams: true });
    },
  };
}

function timeOf(text: string): number {
  const time = Date.parse(dateUpdatedOf(text));
  return Number.isNaN(time) ? 0 : time;
}

import { type Readable, watch } from '#web/platform/state/store.ts';

export type SharedSourceDependencies = {
  /** Opens the real stream. */
  open: () => EventSource;
  leader: Readable<boolean>;
  /** The stream brought a payload (plain keys). */
  onFeatures(text: string): void;
  /** The stream reported a change (personal and remote-evaluation keys). */
  onChanged(): void;
  /** The stream is open, also again after it was cut: changes may have been missed. */
  onOpen(): void;
};

const open = 1;
const closed = 2;

/**
 * What the SDK takes for its event source (`helpers.eventSourceCall`). Of all tabs the leading one alone has
 * a real stream behind it: browsers allow six HTTP/1.1 connections to a host. In the others it stays open and
 * silent; they learn of changes from the leader. The SDK goes on deciding about retries (at most 5 min apart)
 * and about closing it while the tab is hidden.
 */
export function openSharedSource(dependencies: SharedSourceDependencies): EventSource {
  const listeners = new Set<(event: MessageEvent<string>) => void>();
  let real: EventSource | null = null;
  let ended = false;

  function connect(): void {
    const stream = dependencies.open();
    real = stream;
    stream.addEventListener('features', (event: MessageEvent<string>) => {
      dependencies.onFeatures(event.data);
      for (const listener of listeners) listener(event);
    });
    // Not passed on to the SDK, which would join a fetch that may have been answered before the change.
    stream.addEventListener('features-updated', dependencies.onChanged);
    stream.addEventListener('open', (event) => {
      source.onopen?.(event);
      dependencies.onOpen();
    });
    stream.addEventListener('error', (event) => source.onerror?.(event));
  }

  function disconnect(): void {
    real?.close();
    real = null;
  }

  // The part of EventSource that the SDK uses.
  const source = {
    onopen: null as ((event: Event) => void) | null,
    onerror: null as ((event: Event) => void) | null,
    get readyState() {
      return ended ? closed : (real?.readyState ?? open);
    },
    addEventListener(type: string, listener: (event: MessageEvent<string>) => void) {
      if (type === 'features') listeners.add(listener);
    },
    close() {
      ended = true;
      stop();
      disconnect();
    },
  };
  const stop = watch(dependencies.leader, (leads) => {
    if (leads) connect();
    else disconnect();
  });
  return source as unknown as EventSource;
}

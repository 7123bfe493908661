import { createStore, derive, type Readable, watch } from '../state/store.ts';
import type { TabPresence } from '../tabs/tab-presence.ts';
import type { Clock } from '../time/clock.ts';

export type LeadingStreamDependencies = {
  clock: Clock;
  random: () => number;
  leader: Readable<boolean>;
  presence: Pick<TabPresence, 'visible'>;
};

export type LeadingStreamOptions = {
  open: () => EventSource;
  /** The stream is open only while this is true. */
  enabled: Readable<boolean>;
  /** The listeners by the type of the message. */
  on: Readonly<Record<string, (data: string) => void>>;
  /** Called each time the stream opens: messages that were published while it was closed were missed. */
  onOpen(): void;
  /** Called when the stream broke or was closed here. */
  onCut?(): void;
};

const hiddenFor = 20_000;
const firstWait = 1_000;
const longestWait = 300_000;
/** The browser itself reconnects a broken stream; after this many errors the stream is opened again here. */
const errorsOfBrowser = 3;
const closed = 2;

/**
 * Holds a stream in the leading tab alone, since browsers allow six HTTP/1.1 connections to a host. The stream is
 * closed when the tab has been hidden for 20 s. A refused stream is opened again after waits that grow to 5 min.
 */
export function holdLeadingStream(
  { clock, random, leader, presence }: LeadingStreamDependencies,
  { open, enabled, on, onOpen, onCut }: LeadingStreamOptions,
): void {
  const hidden = createStore(false);
  let stream: EventSource | null = null;
  let errors = 0;
  let cancelRetry = () => {};
  let cancelHide = () => {};

  function connect(): void {
    const opened = open();
    stream = opened;
    opened.addEventListener('open', () => {
      errors = 0;
      onOpen();
    });
    for (const [type, listener] of Object.entries(on)) {
      opened.addEventListener(type, ({ data }: MessageEvent<string>) => {
        errors = 0;
        listener(data);
      });
    }
    opened.addEventListener('error', () => {
      errors += 1;
      onCut?.();
      if (errors <= errorsOfBrowser && opened.readyState !== closed) return;
      disconnect();
      const wait = firstWait * 3 ** (errors - errorsOfBrowser) * (1 + random());
      cancelRetry = clock.after(Math.min(wait, longestWait), connect);
    });
  }

  function disconnect(): void {
    cancelRetry();
    if (stream === null) return;
    stream.close();
    stream = null;
    onCut?.();
  }

  watch(presence.visible, (isVisible) => {
    cancelHide();
    if (isVisible) hidden.set(false);
    else cancelHide = clock.after(hiddenFor, () => hidden.set(true));
  });
  watch(
    derive([leader, enabled, hidden], (leads, isEnabled, isHidden) => leads && isEnabled && !isHidden),
    (holds) => {
      if (holds) connect();
      else disconnect();
    },
  );
}

import { holdLeadingStream } from '#web/platform/live/leading-stream.ts';
import { createStore, derive, type Readable } from '#web/platform/state/store.ts';
import { createLiveStatus, type KnownStatus, type StatusDependencies } from './live-status.ts';

/*
 * How the maintenance page notices that maintenance is over, with neither a session nor the application (MAINT-3):
 *
 * 1. The flag stream reports that something has changed; `GET /v1/maintenance/status` answers what.
 * 2. While the stream is open the status is read once a minute all the same, else every 10 s; and on every
 *    return to the tab.
 * 3. Of the tabs of one browser the leading one alone holds the stream and polls, and passes on what it
 *    receives; the others poll when they receive nothing (`poller.ts`).
 */

export type ReopeningDependencies = Omit<StatusDependencies, 'errors'> & {
  /** Opens the flag stream. */
  openStream: () => EventSource;
};

export type Reopening = {
  readonly status: Readable<KnownStatus>;
  /** False while the last request failed. */
  readonly reachable: Readable<boolean>;
};

const withoutStream = 10_000;
/**
 * With another flag host the change reaches this page and our server separately, and the server may be later.
 */
const secondRefresh = 3_000;

/** @param first what the page was rendered with */
export function watchReopening(dependencies: ReopeningDependencies, first: KnownStatus): Reopening {
  const { clock, leader } = dependencies;
  const streaming = createStore(false);
  let wasCut = false;
  const { status, failing, refresh } = createLiveStatus(
    // Errors are recorded for bug reports, which this page does not send.
    { ...dependencies, errors: { record() {} } },
    first,
    { every: withoutStream, while: derive([leader, streaming], (leads, open) => leads && !open) },
  );
  // The page may come from a cache.
  void refresh();

  function refreshTwice(): void {
    void refresh();
    clock.after(secondRefresh, () => {
      if (status.get().mode === 'full') void refresh();
    });
  }

  holdLeadingStream(
    // Also in a hidden tab, so that the tab shows the application again when its person returns.
    { ...dependencies, presence: { visible: createStore(true) } },
    {
      open: dependencies.openStream,
      enabled: createStore(true),
      on: { features: refreshTwice, 'features-updated': refreshTwice },
      onOpen() {
        streaming.set(true);
        if (wasCut) refreshTwice();
        wasCut = false;
      },
      onCut() {
        streaming.set(false);
        wasCut = true;
      },
    },
  );

  return { status, reachable: derive([failing], (fails) => !fails) };
}

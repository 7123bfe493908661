import type { Broadcast } from '#web/platform/tabs/broadcast.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import type { OpenTabs } from '#web/platform/tabs/open-tabs.ts';
import type { Readable } from '#web/platform/state/store.ts';
import type { TabWorkMessage, UnsavedPlace, UnsavedTab } from './tab-work-message.ts';

/*
 * The unsaved work of all tabs of this browser. The tab in which the person signs out asks; each of the
 * others answers with its own, if it belongs to the same person. A frozen tab does not answer, so the wait has a
 * timeout. The lock of such a tab still shows that something is typed in it (`open-tabs.ts`). The tab may only
 * be busy, so the wait for it is longer.
 */

export type TabWorkDependencies = {
  /** The id of this tab. */
  tab: string;
  broadcast: Broadcast<TabWorkMessage>;
  clock: Clock;
  person: Readable<string | null>;
  openTabs: Pick<OpenTabs, 'count'>;
  /** Whether this tab is counted among those with unsaved work. */
  isCounted: () => boolean;
  /** What is typed in this tab and not saved. */
  places: () => readonly UnsavedPlace[];
  newId: () => string;
};

/** The unsaved work that was found; `silent`: how many more tabs have unsaved work, but have not answered. */
export type UnsavedWork = {
  readonly here: readonly UnsavedPlace[];
  /** All tabs that have answered, also those without unsaved work. */
  readonly others: readonly UnsavedTab[];
  readonly silent: number;
};

const timeout = 700;
const longestTimeout = 3_000;

/** Asks the other tabs, and answers their questions; `answer` is for a question that came before. */
export function createTabWork(dependencies: TabWorkDependencies): {
  ask(): Promise<UnsavedWork>;
  answer(message: TabWorkMessage): void;
} {
  const { tab, broadcast, clock, person, openTabs, isCounted, places, newId } = dependencies;

  function answer(message: TabWorkMessage): void {
    if (message.type !== 'asked') return;
    const isTheirs = message.person === person.get();
    broadcast.post({
      type: 'told',
      question: message.question,
      tab,
      isCounted: isTheirs && isCounted(),
      places: isTheirs ? places() : [],
    });
  }
  broadcast.subscribe(answer);

  return {
    answer,
    async ask() {
      const question = newId();
      const counts = await openTabs.count();
      const answers = new Map<string, TabWorkMessage & { type: 'told' }>();
      const enough = Promise.withResolvers<void>();
      const silent = () =>
        counts.unsaved -
        [...answers.values(), { isCounted: isCounted() }].filter((one) => one.isCounted).length;
      let isLate = false;
      const stop = broadcast.subscribe((message) => {
        if (message.type !== 'told' || message.question !== question) return;
        answers.set(message.tab, message);
        if (answers.size >= counts.tabs - 1 || (isLate && silent() <= 0)) enough.resolve();
      });
      const cancels = [
        clock.after(timeout, () => {
          isLate = true;
          if (silent() <= 0) enough.resolve();
        }),
        clock.after(longestTimeout, enough.resolve),
      ];
      broadcast.post({ type: 'asked', question, person: person.get() ?? '' });
      if (counts.tabs > 1) await enough.promise;
      for (const cancel of cancels) cancel();
      stop();
      return {
        here: places(),
        others: [...answers.values()].map(({ tab: other, places: theirs }) => ({
          tab: other,
          places: theirs,
        })),
        silent: Math.max(0, silent()),
      };
    },
  };
}

import { findStored } from '#features/feedback/web/report-place.ts';
import type { SigningOut } from '#features/session/web/sign-out/signing-out.ts';
import type { TabWorkDependencies, UnsavedWork } from '#features/session/web/sign-out/tab-work.ts';
import { createStore, type Store, watch } from '../../platform/state/store.ts';
import { guardedPlaces, storedPlaces } from '../../platform/forms/unsaved-work.ts';
import { hasTouchedFields } from '../navigation/editing.ts';
import type { Session } from '#features/session/web/session.ts';
import type { Api } from '../../platform/calls/call.ts';
import type { StoredWork } from '../../platform/forms/stored-work.ts';
import type { TabMemory } from '../../platform/tabs/tab-memory.ts';
import type { ReportBug } from '../report-bug/report-bug.ts';

type SignOutDependencies = Omit<TabWorkDependencies, 'places'> & {
  api: Pick<Api, 'call'>;
  session: Session;
  storedWork: StoredWork;
  reportBug: ReportBug;
  /**
   * Storage shared by the tabs of this browser: how many drafts were stored for whom, never their content.
   */
  shared: TabMemory & { keys(): readonly string[] };
  page: { go(address: string): void; reload(): void; address(): string };
};

/** Given to the part for stored drafts, which is downloaded when it is needed. */
export type DraftsDependencies = SignOutDependencies & {
  retained: Store<RetainedDraftsCount | null>;
  ask(): Promise<UnsavedWork>;
  hasReport(): Promise<boolean>;
};

type RetainedDraftsCount = { readonly count: number; readonly until: number };

export const retainedDraftsPrefix = 'portico.kept-drafts.';

/** Finds what a sign-out would lose, stores or discards it, and opens stored drafts again. */
export function createSigningOut(dependencies: SignOutDependencies): SigningOut {
  const { clock, person, session, storedWork, reportBug, shared } = dependencies;
  const retained = createStore<RetainedDraftsCount | null>(null);
  const tabWorkDependencies: TabWorkDependencies = {
    ...dependencies,
    places() {
      const works = storedWork.all().map((work) => ({ what: work.what, work }));
      // Forms that store their text are in the list above; other typed text is listed under the name of its
      // place.
      const isMore =
        guardedPlaces.get() > storedPlaces.get() || (guardedPlaces.get() === 0 && hasTouchedFields());
      return isMore ? [...works, { what: placeName(), work: null }] : works;
    },
  };
  let tabWork: ReturnType<typeof loadTabWork> | null = null;
  // Tabs ask each other at a sign-out only, so this part is downloaded then.
  const loadTabWork = async () => {
    const { createTabWork } = await import('#features/session/web/sign-out/tab-work.ts');
    stopWaiting();
    return createTabWork(tabWorkDependencies);
  };
  const tabWorkOnce = () =>
    (tabWork ??= loadTabWork().catch((error: unknown) => {
      tabWork = null;
      throw error;
    }));
  const stopWaiting = dependencies.broadcast.subscribe((message) => {
    if (message.type !== 'asked') return;
    tabWorkOnce().then(
      ({ answer }) => answer(message),
      // This tab's lock still shows that something is typed here.
      () => {},
    );
  });
  const ask = async () => (await tabWorkOnce()).ask();

  const hasReport = async (): Promise<boolean> =>
    reportBug.isWriting() || (person.get() !== null && (await findStored(person.get() ?? '')).draft);

  const reportsWait = async (): Promise<boolean> => {
    const { sending, refused } = reportBug.waiting.get();
    return sending + refused > 0 || (person.get() !== null && (await findStored(person.get() ?? '')).waiting);
  };

  const load = async () =>
    (await import('./retained-drafts.ts')).createRetainedDrafts({
      ...dependencies,
      retained,
      ask,
      hasReport,
    });

  watch(person, (id) => {
    retained.set(null);
    for (const key of shared.keys().filter((one) => one.startsWith(retainedDraftsPrefix))) {
      const [count, until] = (shared.read(key) ?? '').split(' ').map(Number);
      const now = { count: count ?? 0, until: until ?? 0 };
      // Removes the expired drafts of every person; if the storage refuses, a later check removes them.
      if (now.until <= clock.now())
        load().then(
          (drafts) => drafts.removeExpired(key),
          () => {},
        );
      else if (key === `${retainedDraftsPrefix}${id ?? ''}`) retained.set(now);
    }
  });

  return {
    retained,
    canRetain: 'subtle' in crypto && 'indexedDB' in window,
    async find() {
      const [work, isWritten, waits] = await Promise.all([ask(), hasReport(), reportsWait()]);
      return { ...work, report: isWritten || waits };
    },
    async discard() {
      storedWork.discardAll();
      await session.signOut();
    },
    retain: async (report) => (await load()).retain(report),
    drafts: async () => (await load()).read(),
    open: async (draft) => (await load()).open(draft),
    remove: async (draft) => (await load()).remove(draft),
  };
}

/** The name of the place in which the person types now: the open dialog and its screen. */
export function placeName(): string {
  const screen = document.title.split(' · ', 1)[0] ?? '';
  const dialog = [...document.querySelectorAll('dialog[open] .dialog-title')].at(-1)?.textContent ?? '';
  return dialog === '' ? screen : `${screen}: ${dialog}`;
}

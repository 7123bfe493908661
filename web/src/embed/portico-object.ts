import type { Portico, PorticoEvents, ReportOptions } from './portico.d.ts';
import { createSignal, derive, type Readable, watch } from '../platform/state/store.ts';
import { textFor, type UpcomingWindow } from '#features/maintenance/contract/maintenance.ts';
import type { EmbedPage } from './page.ts';
import type { Saving } from './leaving.ts';

type Parts = {
  /** The language of Portico's parts of the page; notices are shown in it. */
  translation: Readable<{ i18n: { language: string } }>;
  beforeMaintenance(save: Saving): () => void;
  report(options: ReportOptions): Promise<void>;
};

type Name = keyof PorticoEvents;

/** `window.portico`, as `portico.d.ts` describes it. */
export function createPorticoObject(page: EmbedPage, parts: Parts): Portico {
  const { session, embedStatus, rights, flags } = page;
  const published = createSignal<{ name: Name; detail: unknown }>();
  const { promise: ready, resolve } = Promise.withResolvers<Portico>();

  const user: Readable<Portico['user']> = derive([page.user], (given) =>
    given === null ? null : { ...given, name: `${given.firstName} ${given.lastName}`.trim() || given.email },
  );
  const maintenance: Readable<Portico['maintenance']> = derive(
    [page.maintenance, parts.translation],
    (given, { i18n: { language } }) => {
      const { mode, severity, expectedEnd, upcoming } = given;
      const next = upcoming === null ? null : inLanguage(upcoming, language);
      return { mode, text: textFor(given, language), severity, expectedEnd, upcoming: next };
    },
    (one, other) => JSON.stringify(one) === JSON.stringify(other),
  );
  const ended: Readable<Portico['session']> = derive([session.state], (now) =>
    now.status === 'signed-in'
      ? { status: 'signed-in', reason: null }
      : {
          status: now.status === 'starting' ? 'unknown' : 'signed-out',
          reason: 'reason' in now ? now.reason : null,
        },
  );

  const places = new Set<unknown>();

  const portico: Portico = {
    get user() {
      return user.get();
    },
    get rights() {
      return rights.get();
    },
    get flags() {
      return flags.get();
    },
    get maintenance() {
      return maintenance.get();
    },
    get session() {
      return ended.get();
    },
    ready,
    can: page.can,
    flag: (key: string, fallback?: unknown) =>
      ((Object.hasOwn(flags.get(), key) ? flags.get()[key] : undefined) ?? fallback) as never,
    on(name, listener) {
      // A listener that is added late is called with the current value.
      if (name === 'ready') {
        let wanted = true;
        void ready.then(() => wanted && (listener as (given: Portico) => void)(portico));
        return () => (wanted = false);
      }
      return published.subscribe((event) => {
        if (event.name === name) guarded(listener as (given: unknown) => void, event.detail);
      });
    },
    token: session.bearer.token,
    signIn: session.signIn,
    signOut: session.signOut,
    report: (options = {}) => parts.report(options),
    beforeMaintenance: parts.beforeMaintenance,
    unsaved(isUnsaved, place = '') {
      if (isUnsaved) places.add(place);
      else places.delete(place);
      page.unsaved.set(places.size);
    },
  };

  function guarded(listener: (given: unknown) => void, detail: unknown): void {
    try {
      listener(detail);
    } catch (error) {
      // The other listeners are still called, and the application's own error handling receives the error.
      reportError(error);
    }
  }

  const sources: { [N in Exclude<Name, 'ready'>]: Readable<unknown> } = {
    session: ended,
    user,
    rights,
    flags,
    maintenance,
  };
  watch(embedStatus.fresh, (isFresh) => {
    if (!isFresh) return;
    for (const [name, source] of Object.entries(sources))
      source.subscribe(() => published.publish({ name: name as Name, detail: source.get() }));
    resolve(portico);
  });
  return portico;
}

/** A maintenance window as the application receives it, with its text in one language. */
function inLanguage({ texts, ...window }: UpcomingWindow, language: string) {
  return { ...window, text: textFor({ text: window.text, texts }, language) };
}

import { flagValues } from '#features/embed/contract/embed.ts';
import { createLiveEvents, eventsMessage } from '#features/events/web/live-events.ts';
import { createEventSource } from '../platform/live/event-source.ts';
import { tabsMessage, watchOpenTabs } from '../platform/tabs/open-tabs.ts';
import type { Clock } from '../platform/time/clock.ts';
import '../ui/base.css';
import './embed.css';
import { feedbackMessage } from '#features/feedback/web/report-place.ts';
import { createReportBug } from '../app/report-bug/report-bug.ts';
import { type Readable, createStore, derive, watch } from '../platform/state/store.ts';
import { browserChannel, openBroadcast } from '../platform/tabs/broadcast.ts';
import { asLanguage, type Language } from '../platform/i18n/language.ts';
import first from 'virtual:all-texts/SHELL.REPORT_BUG';
import { address } from './base.ts';
import { tagOf } from './place.ts';
import { createCorner } from './corner.ts';
import type { PartPlace } from './draw-part.tsx';
import { followRights } from './follow-rights.ts';
import { leaveForMaintenance } from './leaving.ts';
import { type Options, readOptions, readTags, themeOf } from './options.ts';
import { type EmbedPage, openPage } from './page.ts';
import type { Portico, ReportOptions } from './portico.d.ts';
import { createPorticoObject } from './portico-object.ts';
import { forShadow } from './shadow-css.ts';
import { recordSteps } from './steps.ts';
import { addSheet, openSurface } from './surface.ts';
import { createEmbedTexts, type EmbedTexts, setProduct } from './texts.ts';

/** Starts `portico.js` in the page: requests the status from the server once, sets `window.portico`, and draws. */
export function start(): Portico {
  const options = followOptions(tagOf(document, address));
  const page = openPage();
  const texts = createEmbedTexts(first, languageOf(page, options.get()));
  const follow = () => void texts.show(languageOf(page, options.get())).catch(() => {});
  options.subscribe(follow);
  page.embedStatus.known.subscribe(follow);

  const leaving = leaveForMaintenance(page, () => options.get().leaves);
  const report = createReport(page, options, texts);
  const object = createPorticoObject(page, {
    translation: texts.translation,
    beforeMaintenance: leaving.before,
    report: report.open,
  });
  window.portico = object;
  window.dispatchEvent(new Event('portico'));

  // A script in the head is there before the body is.
  const drawAll = () => draw(page, options, texts, report);
  if (document.body === null) document.addEventListener('DOMContentLoaded', drawAll);
  else drawAll();
  afterPaint(() => {
    if (page.embedStatus.fresh.get()) followEvents(page);
    else page.embedStatus.fresh.subscribe(() => followEvents(page));
  });
  return object;
}

/** The language of the person who was signed in last, for the message about the end of their session. */
let chosen: Language | null = null;

function languageOf({ embedStatus }: EmbedPage, { language }: Options): Language {
  const known = embedStatus.known.get();
  if ((known?.user ?? null) !== null) chosen = asLanguage(known?.user?.language);
  return (
    language ??
    chosen ??
    asLanguage(document.documentElement.lang.toLowerCase()) ??
    known?.language ??
    asLanguage(navigator.language) ??
    'en'
  );
}

/** The options of the tag, live: an application may switch its theme or its language. */
function followOptions(tag: HTMLScriptElement | null): Readable<Options> {
  const options = createStore(readOptions(tag?.dataset));
  if (tag !== null)
    new MutationObserver(() => options.set(readOptions(tag.dataset))).observe(tag, { attributes: true });
  return options;
}

/** Waits until the browser is idle; not all browsers support that. */
function afterPaint(work: () => void): void {
  const whenLoaded = () => void setTimeout(work, 300);
  if (document.readyState === 'complete') whenLoaded();
  else window.addEventListener('load', whenLoaded, { once: true });
}

type Report = ReturnType<typeof createReport>;

/** Creates bug reports for an application's page: the facts in them, and the code that the first one downloads. */
function createReport(page: EmbedPage, options: Readable<Options>, texts: EmbedTexts) {
  const { errors, memory, session } = page;
  const broadcast = openBroadcast(browserChannel, 'feedback', feedbackMessage);
  const given = { tags: {} as Record<string, string> };
  const steps = recordSteps(window, memory, page.user.get);
  /** Something has a notification to show. */
  const noticesWanted = createStore(false);
  const onNotify = () => noticesWanted.set(true);
  const facts = () => ({
    address: window.location.href,
    release: options.get().release,
    errors: errors.recorded.get(),
    breadcrumbs: steps(),
    flags: Object.entries(page.flags.get()).map(([key, value]) => ({ key, value: value as string })),
    rights: page.rights.get(),
  });
  const reportBug = createReportBug({
    session: session.state,
    memory,
    broadcast,
    errors,
    async load(forgets) {
      const { drawDialog, loadDialogTexts, startFeedback } = await import('./dialog.tsx');
      await texts.add(loadDialogTexts);
      const feedback = startFeedback({ page, facts, forgets, options: given, broadcast });
      const place: PartPlace = { element: corner.behind, texts, onNotify };
      drawDialog(place, { feedback, trigger: { current: corner.button } }, corner.failed);
      return feedback;
    },
  });
  async function open({ message, tags }: ReportOptions = {}): Promise<void> {
    // Changes the object in place: all reports of the page share it, and the form reads it when it sends.
    for (const name of Object.keys(given.tags)) delete given.tags[name];
    Object.assign(given.tags, readTags(tags));
    const feedback = await reportBug.start();
    await feedback.open();
    if (message !== undefined && feedback.state.get().draft.message === '') feedback.edit({ message });
  }
  const shown = derive(
    [options, page.embedStatus.known],
    (now, known) => now.report && known?.reports === true,
  );
  const corner = createCorner({ reportBug, texts, shown, open });
  // If the previous page ended while a report was being written, this page opens the form again.
  watch(session.state, ({ status }) => {
    if (status === 'signed-in' && reportBug.wasOpen())
      void reportBug.start().then((feedback) => feedback.open());
  });
  return { corner: corner.corner, noticesWanted, onNotify, open };
}

function draw(page: EmbedPage, options: Readable<Options>, texts: EmbedTexts, report: Report): void {
  const [above, below] = [partPlace(), partPlace()];
  const root = openSurface(document, above, report.corner, below);
  dress(root, page, options);
  watch(texts.translation, ({ i18n }) => (root.lang = i18n.language));

  const { noticesWanted, onNotify } = report;
  const given = { texts, onNotify };
  // A notice that was closed and is over has to be shown when it is published again (`banner-visibility.ts`).
  const isAnnounced = derive(
    [page.maintenance],
    ({ mode, text, upcoming }) => mode !== 'off' || text !== '' || upcoming !== null || wasClosed(),
  );
  whenWanted(isAnnounced, page.clock, async () => {
    const { drawAbove, loadAboveTexts } = await import('./above.tsx');
    await texts.add(loadAboveTexts);
    drawAbove({ element: above, ...given }, { page, options });
  });

  const { change, ended, acknowledge } = followRights(page, () => options.get().notices);
  for (const source of [change, ended]) source.subscribe(onNotify);
  whenWanted(noticesWanted, page.clock, async () => {
    const { drawNotices, loadNoticeTexts } = await import('./notices.tsx');
    await texts.add(loadNoticeTexts);
    drawNotices({ element: below, ...given }, { page, change, onRead: acknowledge, ended });
  });
}

function wasClosed(): boolean {
  try {
    return document.cookie.includes('portico_notice_closed');
  } catch {
    // A page that is sandboxed has no cookies.
    return false;
  }
}

function partPlace(): HTMLElement {
  const place = document.createElement('div');
  place.className = 'part';
  return place;
}

/** Sets the theme of the page or of the tag, and the installation's accent colour. */
function dress(root: HTMLElement, page: EmbedPage, options: Readable<Options>): void {
  const accent = addSheet('');
  let css: string | null = null;
  watch(page.embedStatus.known, (known) => {
    if (known === null) return;
    setProduct(known.branding.product);
    if (css === known.branding.css) return;
    css = known.branding.css;
    accent.replaceSync(forShadow(css ?? ''));
  });
  const look = () => {
    const { theme, position } = options.get();
    const shown = theme ?? themeOf(getComputedStyle(document.documentElement).colorScheme);
    if (shown === 'auto') delete root.dataset['theme'];
    else root.dataset['theme'] = shown;
    root.dataset['position'] = position;
  };
  look();
  options.subscribe(look);
  // An application switches its own theme by an attribute of its root.
  new MutationObserver(look).observe(document.documentElement, {
    attributeFilter: ['class', 'style', 'data-theme', 'data-mode', 'data-bs-theme'],
  });
}

const againMs = 10_000;

/** Downloads a part once, when it is first wanted; retries a failed download as long as the part is wanted. */
function whenWanted(wanted: Readable<boolean>, clock: Clock, load: () => Promise<void>): void {
  let isAsked = false;
  const look = (): void => {
    if (isAsked || !wanted.get()) return;
    isAsked = true;
    load().catch(() => {
      clock.after(againMs, () => {
        isAsked = false;
        look();
      });
    });
  };
  watch(wanted, look);
}

/** Follows the live events of the person once the page is drawn; one tab holds the stream for all tabs. */
function followEvents(page: EmbedPage) {
  const { embedStatus, session } = page;
  const live = createLiveEvents({
    ...page,
    firstId: embedStatus.known.get()?.eventId ?? '',
    person: session.person,
    broadcast: openBroadcast(page.ownChannel, 'events', eventsMessage),
    openTabs: watchOpenTabs({
      ...page,
      broadcast: openBroadcast(page.ownChannel, 'open-tabs', tabsMessage),
    }),
    loadSource: () => Promise.resolve(createEventSource),
  });
  live.on('rights', ({ within }) => embedStatus.changed(within));
  live.on('profile', () => embedStatus.changed(0));
  live.on('changed', ({ list, within }) => {
    if (list === null || list === flagValues.list) embedStatus.changed(within);
  });
  live.on('maintenance', ({ status }) => embedStatus.pushed(status));
  live.on('report-form', () => page.reportForm.publish());
  live.on('session-ended', ({ reason }) => session.publishedEnded(reason));
  watch(live.connected, (connected) => page.connected.set(connected));
  return live;
}

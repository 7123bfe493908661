import '../ui/base.css';
import './embed.css';
import { render } from 'preact';
import type { Breadcrumb } from '@portico/contract/feedback';
import { findWaiting } from '../features/feedback/draft-place.ts';
import { readFeedbackMessage } from '../features/feedback/feedback-message.ts';
import { createReportBug } from '../app/report-bug/report-bug.ts';
import { showBranding } from '../platform/branding.ts';
import { createStore, derive, type Readable, watch } from '../platform/state/store.ts';
import { browserChannel, openBroadcast } from '../platform/tabs/broadcast.ts';
import { asLanguage } from '../platform/i18n/language.ts';
import firstDe from 'virtual:portico-texts/first.de';
import firstEn from 'virtual:portico-texts/first.en';
import firstFr from 'virtual:portico-texts/first.fr';
import { notifications } from '../ui/notifications/notifications.ts';
import { address } from './base.ts';
import { Corner } from './corner.tsx';
import type { DrawDialog } from './dialog.tsx';
import { followBanner } from './follow-banner.ts';
import { followRights } from './follow-rights.ts';
import { leaveForMaintenance } from './leaving.ts';
import { type Options, readOptions, themeOf } from './options.ts';
import { type EmbedPage, openPage } from './page.ts';
import { tagOf } from './place.ts';
import type { Portico, ReportOptions } from './portico.d.ts';
import { createPorticoObject } from './portico-object.ts';
import { forShadow } from './shadow-css.ts';
import { addSheet } from './sheets.ts';
import { LatePart } from './late-part.tsx';
import { openSurface } from './surface.ts';
import { createEmbedTexts, type EmbedTexts, ProvideTexts } from './texts.tsx';

/** Puts `portico.js` into the page: asks the server once, sets `window.portico`, and draws. */
export function start(): Portico {
  const options = followOptions(tagOf(document, address));
  const page = openPage();
  const texts = createEmbedTexts({ en: firstEn, de: firstDe, fr: firstFr }, languageOf(page, options.get()));
  const follow = () => void texts.show(languageOf(page, options.get())).catch(() => {});
  options.subscribe(follow);
  page.knowledge.known.subscribe(follow);

  const leaving = leaveForMaintenance(page, () => options.get().leaves);
  const report = createReport(page, options, texts);
  const object = createPorticoObject(page, { beforeMaintenance: leaving.before, report: report.open });
  window.portico = object;
  window.dispatchEvent(new Event('portico'));

  // A script in the head is there before the body is.
  if (document.body === null)
    document.addEventListener('DOMContentLoaded', () => draw(page, options, texts, report));
  else draw(page, options, texts, report);
  afterPaint(() => {
    void import('./live.ts').then(
      ({ followEvents }) => {
        if (page.knowledge.fresh.get()) followEvents(page);
        else page.knowledge.fresh.subscribe(() => followEvents(page));
      },
      () => {},
    );
    void report.record();
  });
  return object;
}

function languageOf({ knowledge }: EmbedPage, { language }: Options) {
  const known = knowledge.known.get();
  return (
    language ??
    asLanguage(known?.user?.language) ??
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

/** When the browser has nothing else to do; not all browsers tell. */
function afterPaint(work: () => void): void {
  const whenLoaded = () => void setTimeout(work, 300);
  if (document.readyState === 'complete') whenLoaded();
  else window.addEventListener('load', whenLoaded, { once: true });
}

type Report = ReturnType<typeof createReport>;

/** Bug reports from the page of an application: what goes along, and what is downloaded with the first. */
function createReport(page: EmbedPage, options: Readable<Options>, texts: EmbedTexts) {
  const { errors, memory, session } = page;
  const broadcast = openBroadcast(browserChannel, 'feedback', readFeedbackMessage);
  const dialog = createStore<DrawDialog | null>(null);
  const given = { tags: {} as Record<string, string> };
  let steps: () => readonly Breadcrumb[] = () => [];
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
    findWaiting,
    errors,
    async load(forgets) {
      const { drawDialog, loadDialogTexts, startFeedback } = await import('./dialog.tsx');
      await texts.add(loadDialogTexts);
      dialog.set(drawDialog);
      return startFeedback({ page, facts, forgets, options: given, broadcast });
    },
  });
  // A page that ended while a report was being written is followed by one that goes on with it.
  watch(session.state, ({ status }) => {
    if (status === 'signed-in' && reportBug.wasOpen())
      void reportBug.start().then((feedback) => feedback.open());
  });
  return {
    reportBug,
    dialog,
    async open({ message, tags = {} }: ReportOptions = {}): Promise<void> {
      given.tags = { ...tags };
      const feedback = await reportBug.start();
      await feedback.open();
      if (message !== undefined && feedback.state.get().draft.message === '') feedback.edit({ message });
    },
    async record(): Promise<void> {
      const { recordSteps } = await import('./steps.ts');
      steps = recordSteps(window, memory, page.user.get);
    },
  };
}

async function loadAbove() {
  const { Above, loadAboveTexts } = await import('./above.tsx');
  return { Part: Above, texts: loadAboveTexts };
}

async function loadNotices() {
  const { Notices, loadNoticeTexts } = await import('./notices.tsx');
  return { Part: Notices, texts: loadNoticeTexts };
}

function draw(page: EmbedPage, options: Readable<Options>, texts: EmbedTexts, report: Report): void {
  const root = openSurface(document);
  const accent = addSheet('');
  let css: string | null = null;
  watch(page.knowledge.known, (known) => {
    if (known === null) return;
    showBranding({ product: known.branding.product, mark: null });
    if (css === known.branding.css) return;
    css = known.branding.css;
    accent.replaceSync(forShadow(css ?? ''));
  });
  const dress = () => {
    const { theme, position } = options.get();
    const shown = theme ?? themeOf(getComputedStyle(document.documentElement).colorScheme);
    if (shown === 'auto') delete root.dataset['theme'];
    else root.dataset['theme'] = shown;
    root.dataset['position'] = position;
  };
  dress();
  options.subscribe(dress);
  // An application switches its own theme by an attribute of its root.
  new MutationObserver(dress).observe(document.documentElement, {
    attributeFilter: ['class', 'style', 'data-theme', 'data-mode', 'data-bs-theme'],
  });
  watch(texts.translation, ({ i18n }) => (root.lang = i18n.language));

  const banner = followBanner(page);
  const rights = followRights(page, () => options.get().notices);
  const shown = derive(
    [options, page.knowledge.known],
    (now, known) => now.report && known?.reports === true,
  );
  const hasNotices = createStore(false);
  const look = () => {
    if (notifications.current().length > 0) hasNotices.set(true);
  };
  notifications.subscribe(look);
  for (const source of [rights.change, rights.ended]) source.subscribe(() => hasNotices.set(true));

  render(
    <ProvideTexts texts={texts}>
      <LatePart
        texts={texts}
        wanted={banner.wanted}
        load={loadAbove}
        given={{ page, options, visible: banner.visible, onClose: banner.close }}
      />
      <Corner {...report} texts={texts} shown={shown} />
      <LatePart
        texts={texts}
        wanted={hasNotices}
        load={loadNotices}
        given={{ page, change: rights.change, onRead: rights.acknowledge, ended: rights.ended }}
      />
    </ProvideTexts>,
    root,
  );
}

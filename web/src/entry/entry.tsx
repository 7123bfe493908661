import type { Boot } from '#contract/boot.ts';
import { type ComponentType, useEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createApi, type Api } from '../platform/calls/call.ts';
import { base } from '../platform/base.ts';
import { readBoot, stayBelowBase } from '../platform/boot.ts';
import { showBranding } from '../platform/branding.ts';
import { createFormats, ownTimeZone, regionalLocale } from '../platform/i18n/formats.ts';
import type { Catalogue } from '../platform/i18n/i18n.ts';
import { chooseLanguage, type Language, savedLanguage, saveLanguage } from '../platform/i18n/language.ts';
import { sessionEndedProblem } from '../platform/calls/problem-error.ts';
import { createTabMemory, type TabMemory } from '../platform/tabs/tab-memory.ts';
import { readReturnAddress } from '../platform/sign-in-reason.ts';
import { createTranslation, ProvideTranslation, type Translation } from './translation.tsx';
import { returnTo } from './way-back.ts';
import { ProvideFormats } from '../platform/contexts.tsx';

/** Props of every entry page. */
export type EntryPageProps = {
  boot: Boot;
  api: Api;
  memory: TabMemory;
  chooseLanguage: (language: Language) => void;
};

/** The texts of a page, each language a download of its own. */
type LazyTexts = Record<Language, () => Promise<Catalogue>>;

const afterFailure = 3_000;

type Above = ComponentType<{ api: Api; boot: Boot }>;

/**
 * Opens an entry page: reads what the server wrote into it, loads the texts of one language, and renders.
 *
 * @param anywhere whether the page may be shown in place of an application's page, at the address of that page
 * @param loadAbove loads the part above the page; the page waits for it if there is a notice or maintenance is on
 */
export function openEntry(
  page: ComponentType<EntryPageProps> | Promise<ComponentType<EntryPageProps>>,
  texts: LazyTexts,
  { anywhere = false, loadAbove }: { anywhere?: boolean; loadAbove?: () => Promise<Above> } = {},
): void {
  if (!anywhere) stayBelowBase();
  const root = document.getElementById('root');
  if (root === null) throw new Error('This page has no place to draw.');
  const boot = readBoot();
  showBranding(boot.branding);
  // No one is signed in here: no call of these pages carries a token.
  const noSession = () => Promise.reject(sessionEndedProblem());
  const api = createApi({
    fetch: window.fetch.bind(window),
    bearer: { token: noSession, renewed: noSession },
    timeOffset: () => null,
  });
  const memory = createTabMemory(window);
  const language = chooseLanguage({ ...savedLanguage(), person: null, page: boot.language });

  // The page is still useful without the part above it.
  const above = loadAbove?.().catch(() => null) ?? Promise.resolve(null);
  const { mode, text, upcoming } = boot.maintenance;
  const waits = mode === 'full' || text !== '' || upcoming !== null;
  Promise.all([loadTexts(texts, language), waits ? above : null, page]).then(
    ([first, Above, Page]) => {
      const given = { boot, api, memory };
      createRoot(root).render(<Entry {...{ Page, Above, above, given, first, load }} />);
    },
    // Without its texts the page cannot show an error, so it reloads: the connection may be back by then, or a
    // newer release may be installed.
    () => setTimeout(() => window.location.reload(), afterFailure),
  );

  function load(wanted: Language): Promise<Translation> {
    return loadTexts(texts, wanted);
  }
}

async function loadTexts(texts: LazyTexts, language: Language): Promise<Translation> {
  return createTranslation(language, await texts[language]());
}

type EntryProps = {
  Page: ComponentType<EntryPageProps>;
  /** The part above the page; null while it is not loaded: `above` then resolves to it. */
  Above: Above | null;
  above: Promise<Above | null>;
  given: Omit<EntryPageProps, 'chooseLanguage'>;
  first: Translation;
  load: (language: Language) => Promise<Translation>;
};

function Entry({ Page, Above, above, given, first, load }: EntryProps) {
  const [Drawn, setDrawn] = useState(() => Above);
  useEffect(() => void above.then((late) => setDrawn(() => late)), [above]);
  const [translation, setTranslation] = useState(first);
  const { language } = translation.i18n;
  const formats = useMemo(
    () => createFormats(regionalLocale(language, navigator.languages), ownTimeZone()),
    [language],
  );

  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);

  function choose(wanted: Language): void {
    load(wanted).then(
      (loaded) => {
        saveLanguage(wanted, null);
        setTranslation(loaded);
      },
      // The page stays readable in its present language.
      () => {},
    );
  }

  return (
    <ProvideTranslation value={translation}>
      <ProvideFormats value={formats}>
        {Drawn === null ? null : <Drawn api={given.api} boot={given.boot} />}
        <Page {...given} chooseLanguage={choose} />
      </ProvideFormats>
    </ProvideTranslation>
  );
}

/**
 * When the person signs in through another tab, this page goes to the address that this tab had before, so that
 * they need not sign in twice.
 */
export function useSignInElsewhere(memory: TabMemory): void {
  useEffect(() => {
    const others = new BroadcastChannel(`portico${base}:session`);
    others.addEventListener('message', ({ data }: MessageEvent<{ type?: unknown } | null>) => {
      if (data?.type === 'token')
        window.location.replace(readReturnAddress(memory, returnTo && returnTo + window.location.hash));
    });
    return () => others.close();
  }, [memory]);
}

/** Sets the title of the window. */
export function useWindowTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}

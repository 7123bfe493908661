import type { Boot } from '#contract/boot.ts';

export type Language = Boot['language'];

/** In the order of the menu, each in its own name. */
export const languages: readonly { language: Language; label: string }[] = [
  { language: 'en', label: 'English' },
  { language: 'de', label: 'Deutsch' },
  { language: 'fr', label: 'Français' },
];

/** Where the choice of this browser is stored. */
export const languageKey = 'portico.language';
/** The person whose profile does not have the choice yet; empty once it has, and before the sign-in. */
const chosenByKey = 'portico.language.chosen-by';

/** A language of Portico, also from a longer tag such as `de-AT`; null for any other. */
export function asLanguage(tag: string | null | undefined): Language | null {
  return (
    languages.find(({ language }) => tag === language || tag?.startsWith(`${language}-`))?.language ?? null
  );
}

/**
 * The language to show: what the person has chosen here and their profile does not have yet, else their
 * profile's, else what was chosen in this browser before they signed in, else what the server found best for
 * the request.
 */
export function chooseLanguage(from: {
  saved: string | null;
  chosenBy: string | null;
  person: { id: string; locale: string | null } | null;
  page: Language;
}): Language {
  const saved = asLanguage(from.saved);
  if (saved !== null && from.person !== null && from.chosenBy === from.person.id) return saved;
  return asLanguage(from.person?.locale) ?? saved ?? from.page;
}

/** Stores a choice, or removes it (null); without storage it lasts as long as the page. */
export function saveLanguage(language: Language | null, personId: string | null): void {
  try {
    store(languageKey, language);
    store(chosenByKey, personId);
  } catch {
    // Storage is switched off or full: the choice holds for this page.
  }
}

function store(key: string, value: string | null): void {
  if (value === null) localStorage.removeItem(key);
  else localStorage.setItem(key, value);
}

/** The stored choice. */
export function savedLanguage(): { saved: string | null; chosenBy: string | null } {
  try {
    return { saved: localStorage.getItem(languageKey), chosenBy: localStorage.getItem(chosenByKey) };
  } catch {
    return { saved: null, chosenBy: null };
  }
}

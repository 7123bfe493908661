import type { Boot } from '#contract/boot.ts';

export type Language = Boot['language'];

/** The languages in the order of the menu, each with its own name for itself. */
export const languages: readonly { language: Language; label: string }[] = [
  { language: 'en', label: 'English' },
  { language: 'de', label: 'Deutsch' },
  { language: 'fr', label: 'Français' },
];

/** The key under which this browser stores the chosen language. */
export const languageKey = 'portico.language';
/** The key for the id of the person whose profile does not have the choice yet; else empty. */
const chosenByKey = 'portico.language.chosen-by';

/** A language of Portico, also from a longer tag such as `de-AT`; null for any other. */
export function asLanguage(tag: string | null | undefined): Language | null {
  return (
    languages.find(({ language }) => tag === language || tag?.startsWith(`${language}-`))?.language ?? null
  );
}

/**
 * Returns the language to show, the first of these: the language that the person has chosen here and their profile
 * does not have yet; the language of the profile; the language chosen in this browser before the sign-in; the
 * language that the server found best for the request.
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

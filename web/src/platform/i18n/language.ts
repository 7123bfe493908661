import type { Boot } from '@portico/contract/boot';

export type Language = Boot['language'];

/** In the order of the menu, each in its own name. */
export const languages: readonly { language: Language; label: string }[] = [
  { language: 'en', label: 'English' },
  { language: 'de', label: 'Deutsch' },
  { language: 'fr', label: 'Français' },
];

/** Where the choice of this browser is kept. */
export const languageKey = 'portico.language';
/** Whose choice it is: of the person with this id, or of whoever stood before the sign-in page. */
const chosenByKey = 'portico.language.chosen-by';

/** A known language, also from a longer tag such as `de-AT`; null where it is none of ours. */
export function asLanguage(tag: string | null | undefined): Language | null {
  return (
    languages.find(({ language }) => tag === language || tag?.startsWith(`${language}-`))?.language ?? null
  );
}

/**
 * The language to show: what the person has chosen here, else what their profile says, else what was chosen in this
 * browser before they signed in, else what the server found best for the request.
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

/** Remembers a choice; a browser that keeps nothing forgets it with the page. */
export function saveLanguage(language: Language, personId: string | null): void {
  try {
    localStorage.setItem(languageKey, language);
    if (personId === null) localStorage.removeItem(chosenByKey);
    else localStorage.setItem(chosenByKey, personId);
  } catch {
    // Storage is switched off or full: the choice holds for this page.
  }
}

/** What was remembered. */
export function savedLanguage(): { saved: string | null; chosenBy: string | null } {
  try {
    return { saved: localStorage.getItem(languageKey), chosenBy: localStorage.getItem(chosenByKey) };
  } catch {
    return { saved: null, chosenBy: null };
  }
}

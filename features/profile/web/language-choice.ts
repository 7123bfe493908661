import { asLanguage, type Language } from '#web/platform/i18n/language.ts';
import { type Readable, watch } from '#web/platform/state/store.ts';
import type { OwnProfile } from './profile.ts';

/*
 * The language is chosen in the menu and in the profile, which must not disagree. A choice in the menu holds
 * at once, and is stored in this browser as that person's choice until the profile has it; so it holds also
 * while the server does not answer, and is saved when the profile is loaded the next time. Otherwise the
 * profile decides.
 */

/** What this browser remembers of the language. */
export type LanguageMemory = {
  read(): { saved: string | null; chosenBy: string | null };
  /** `personId`: the person whose profile does not have the choice yet. null removes it. */
  save(language: Language | null, personId: string | null): void;
};

export type LanguageChoice = {
  /** Saves the choice of the signed-in person in their profile, in the background; the newest wins. */
  choose(language: Language): void;
  /** The profile is about to get another language, or none: an earlier choice no longer counts. */
  dropChoice(language: Language | null): void;
};

export type LanguageChoiceDependencies = {
  profile: Pick<OwnProfile, 'currentUser' | 'amend'>;
  /** The id of the signed-in person, or null. */
  person: Readable<string | null>;
  memory: LanguageMemory;
};

export function createLanguageChoice({
  profile,
  person,
  memory,
}: LanguageChoiceDependencies): LanguageChoice {
  let storing = false;

  /** The choice that the profile does not have yet, or null. */
  function waiting(): Language | null {
    const { saved, chosenBy } = memory.read();
    return chosenBy !== null && chosenBy === person.get() ? asLanguage(saved) : null;
  }

  async function store(): Promise<void> {
    if (storing) return;
    storing = true;
    try {
      for (let wish = waiting(); wish !== null && profile.currentUser.get() !== null; wish = waiting()) {
        if (asLanguage(profile.currentUser.get()?.locale) === wish) {
          memory.save(wish, null);
          return;
        }
        const { status } = await profile.amend({ locale: wish });
        if (waiting() !== wish) continue;
        // A choice that could not be saved waits for the next load.
        if (status === 'saved') memory.save(wish, null);
        return;
      }
    } finally {
      storing = false;
    }
  }

  watch(profile.currentUser, (user) => {
    if (user !== null) void store();
  });

  return {
    choose(language) {
      memory.save(language, person.get());
      void store();
    },
    dropChoice: (language) => memory.save(language, null),
  };
}

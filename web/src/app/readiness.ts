import type { PermissionsState } from '#features/permissions/web/permissions.ts';
import type { ProfileState } from '#features/profile/web/profile.ts';
import type { Texts } from '../platform/i18n/i18n.ts';
import { chooseLanguage, type Language, savedLanguage } from '../platform/i18n/language.ts';
import type { ErrorRecord } from '../platform/record-error.ts';
import { createStore, derive, type Readable, watch } from '../platform/state/store.ts';

type ReadinessDependencies = {
  profile: Readable<ProfileState>;
  permissions: Readable<PermissionsState>;
  texts: Pick<Texts, 'show'>;
  /** The language of the page as it was rendered. */
  page: Language;
  errors: ErrorRecord;
};

/**
 * Shows the language of the person who signs in, and reports when everything that the screens need is known:
 * the profile, the rights, the texts. What could not be loaded counts as known; a failure must not lock a
 * person out.
 */
export function watchReadiness({
  profile,
  permissions,
  texts,
  page,
  errors,
}: ReadinessDependencies): Readable<boolean> {
  const spoken = createStore(false);
  watch(profile, (state) => {
    if (state.status === 'pending') {
      spoken.set(false);
      return;
    }
    // A reloaded profile changes the language of the screens, which stay mounted.
    texts
      .show(chooseLanguage({ ...savedLanguage(), person: state.currentUser, page }))
      .catch((error: unknown) => errors.record('texts.load', error))
      .finally(() => spoken.set(profile.get().status !== 'pending'));
  });
  return derive(
    [profile, permissions, spoken],
    (person, rights, done) => done && person.status !== 'pending' && rights.status !== 'pending',
  );
}

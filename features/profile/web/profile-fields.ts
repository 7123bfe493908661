import type { Profile } from '#features/profile/contract/profile.ts';
import { asLanguage, type Language } from '#web/platform/i18n/language.ts';

/** What people enter about themselves: what a change of the profile replaces (PRO-1). */
export type ProfileFields = Pick<
  Profile,
  'firstName' | 'lastName' | 'phone' | 'organisation' | 'jobTitle' | 'timeZone' | 'avatar'
> & { readonly locale: Language | null };

/** A language that Portico does not have, from another source, counts as the browser's. */
export function fieldsOf({
  firstName,
  lastName,
  phone,
  organisation,
  jobTitle,
  locale,
  timeZone,
  avatar,
}: Profile): ProfileFields {
  return {
    firstName,
    lastName,
    phone,
    organisation,
    jobTitle,
    locale: asLanguage(locale),
    timeZone,
    avatar,
  };
}

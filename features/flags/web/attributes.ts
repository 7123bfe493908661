import type { Attributes } from '@growthbook/growthbook-react';
import type { Profile } from '#features/profile/contract/profile.ts';

/**
 * Attributes for flags that are not evaluated by Portico's server (FLAG-3); it alone knows roles and groups.
 */
export function attributesOf(person: Profile | null, page: { url: string; release: string }): Attributes {
  if (person === null) return { ...page };
  const { id, email, locale, timeZone, createdAt } = person;
  return {
    ...page,
    id,
    email,
    emailDomain: email.slice(email.lastIndexOf('@') + 1),
    createdAt,
    ...(locale === null ? {} : { locale }),
    ...(timeZone === null ? {} : { timeZone }),
  };
}

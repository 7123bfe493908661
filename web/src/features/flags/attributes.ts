import type { Attributes } from '@growthbook/growthbook-react';
import type { Profile } from '@portico/contract/profile';

/** What flags may be targeted by where they are not decided by Portico's server (FLAG-3); roles and groups it alone knows. */
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

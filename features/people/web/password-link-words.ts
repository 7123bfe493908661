import type { MailOutcome } from '#features/identity-provider/contract/identity-provider.ts';
import type { TFunction } from 'i18next';

/** What a link is for: a person's first password, or another one. */
export type LinkUse = 'invitation' | 'new-password';

const title: Record<Exclude<MailOutcome, 'off'>, string> = {
  sent: 'PEOPLE.INVITATION.MAIL_SENT',
  waiting: 'PEOPLE.INVITATION.MAIL_WAITING',
  failed: 'PEOPLE.INVITATION.MAIL_FAILED',
};

/** The heading of a link, and the label of its field. */
export function passwordLinkWords(
  t: TFunction,
  use: LinkUse,
  mail: MailOutcome,
  email: string,
): { title: string; label: string } {
  const ready = use === 'invitation' ? 'PEOPLE.INVITATION.READY' : 'PEOPLE.PASSWORD_LINK.READY';
  return {
    title: t(mail === 'off' ? ready : title[mail], { email }),
    label: t(use === 'invitation' ? 'PEOPLE.INVITATION.LINK' : 'PEOPLE.PASSWORD_LINK.LINK'),
  };
}

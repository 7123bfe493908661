import type { MailOutcome, PasswordLink } from '#features/identity-provider/contract/identity-provider.ts';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { CopyText } from '#web/ui/copy-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { useFormats } from '#web/platform/contexts.tsx';

/** What a link is for: a person's first password, or another one. */
export type LinkUse = 'invitation' | 'new-password';

const titles: Record<Exclude<MailOutcome, 'off'>, string> = {
  sent: 'PEOPLE.INVITATION.MAIL_SENT',
  waiting: 'PEOPLE.INVITATION.MAIL_WAITING',
  failed: 'PEOPLE.INVITATION.MAIL_FAILED',
};

const texts: Record<MailOutcome, string> = {
  off: 'PEOPLE.INVITATION.READY_TEXT',
  sent: 'PEOPLE.INVITATION.MAIL_SENT_TEXT',
  waiting: 'PEOPLE.INVITATION.MAIL_WAITING_TEXT',
  failed: 'PEOPLE.INVITATION.MAIL_FAILED_TEXT',
};

/** A link that works once, to be handed on by the operator who made it. */
export function InvitationLink({
  use = 'invitation',
  email,
  link,
  expiresAt,
  mail,
}: PasswordLink & { use?: LinkUse; email: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = passwordLinkWords(t, use, mail, email);
  return (
    <>
      <Notice
        severity={mail === 'off' || mail === 'sent' ? 'ok' : mail === 'waiting' ? 'medium' : 'high'}
        role="status"
        title={words.title}
      />
      <p>{t(texts[mail], { until: formats.dateTime(expiresAt) })}</p>
      <CopyText
        text={link}
        // A link that was also sent by mail is not lost.
        once={mail === 'off' || mail === 'failed'}
        label={words.label}
        copy={t('PEOPLE.INVITATION.COPY')}
      />
    </>
  );
}

/** The heading of a link, and the label of its field. */
export function passwordLinkWords(
  t: TFunction,
  use: LinkUse,
  mail: MailOutcome,
  email: string,
): { title: string; label: string } {
  const ready = use === 'invitation' ? 'PEOPLE.INVITATION.READY' : 'PEOPLE.PASSWORD_LINK.READY';
  return {
    title: t(mail === 'off' ? ready : titles[mail], { email }),
    label: t(use === 'invitation' ? 'PEOPLE.INVITATION.LINK' : 'PEOPLE.PASSWORD_LINK.LINK'),
  };
}

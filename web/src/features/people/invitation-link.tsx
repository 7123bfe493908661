import type { MailOutcome, PasswordLink } from '@portico/contract/identity-provider';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextInput } from '../../ui/text-input.tsx';

const title: Record<MailOutcome, string> = {
  off: 'PEOPLE.INVITATION.READY',
  sent: 'PEOPLE.INVITATION.MAIL_SENT',
  waiting: 'PEOPLE.INVITATION.MAIL_WAITING',
  failed: 'PEOPLE.INVITATION.MAIL_FAILED',
};
const text: Record<MailOutcome, string> = {
  off: 'PEOPLE.INVITATION.READY_TEXT',
  sent: 'PEOPLE.INVITATION.MAIL_SENT_TEXT',
  waiting: 'PEOPLE.INVITATION.MAIL_WAITING_TEXT',
  failed: 'PEOPLE.INVITATION.MAIL_FAILED_TEXT',
};

/** A link that works once, to be handed on by whoever made it. */
export function InvitationLink({ email, link, expiresAt, mail }: PasswordLink & { email: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [copied, setCopied] = useState<'no' | 'yes' | 'failed'>('no');
  return (
    <>
      <Notice
        severity={mail === 'off' || mail === 'sent' ? 'ok' : mail === 'waiting' ? 'medium' : 'high'}
        role="status"
        title={t(title[mail], { email })}
      />
      <p>{t(text[mail], { until: formats.dateTime(expiresAt) })}</p>
      <Field label={t('PEOPLE.INVITATION.LINK')}>
        {(control) => (
          <TextInput
            {...control}
            required={false}
            value={link}
            onValue={() => undefined}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
      </Field>
      <div className="copy-row">
        <Button
          tone="primary"
          icon={copied === 'yes' ? 'check' : 'copy'}
          onClick={() => {
            navigator.clipboard.writeText(link).then(
              () => setCopied('yes'),
              () => setCopied('failed'),
            );
          }}
        >
          {t('PEOPLE.INVITATION.COPY')}
        </Button>
        <span role="status" className="muted">
          {copied === 'yes'
            ? t('PEOPLE.INVITATION.COPIED')
            : copied === 'failed'
              ? t('PEOPLE.INVITATION.COPY_FAILED')
              : ''}
        </span>
      </div>
    </>
  );
}

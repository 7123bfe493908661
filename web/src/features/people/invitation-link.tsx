import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextInput } from '../../ui/text-input.tsx';

/** A link that works once, to be handed on by whoever made it. */
export function InvitationLink({
  email,
  link,
  expiresAt,
}: {
  email: string;
  link: string;
  expiresAt: number;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [copied, setCopied] = useState<'no' | 'yes' | 'failed'>('no');
  return (
    <>
      <Notice severity="ok" role="status" title={t('PEOPLE.INVITATION.READY', { email })} />
      <p>{t('PEOPLE.INVITATION.READY_TEXT', { until: formats.dateTime(expiresAt) })}</p>
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

import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextInput } from '../../ui/text-input.tsx';

/** The secret of a new webhook, which is shown this once, and what it is for. */
export function WebhookSecret({ secret }: { secret: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState<'no' | 'yes' | 'failed'>('no');
  return (
    <>
      <Notice severity="ok" role="status" title={t('WEBHOOKS.SECRET.READY')} />
      <p>{t('WEBHOOKS.SECRET.TEXT')}</p>
      <Field label={t('WEBHOOKS.SECRET.LABEL')}>
        {(control) => (
          <TextInput
            {...control}
            required={false}
            value={secret}
            onValue={() => undefined}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
      </Field>
      <div className="webhook-row">
        <Button
          tone="primary"
          icon={copied === 'yes' ? 'check' : 'copy'}
          onClick={() => {
            navigator.clipboard.writeText(secret).then(
              () => setCopied('yes'),
              () => setCopied('failed'),
            );
          }}
        >
          {t('WEBHOOKS.SECRET.COPY')}
        </Button>
        <span role="status" className="muted">
          {copied === 'yes'
            ? t('WEBHOOKS.SECRET.COPIED')
            : copied === 'failed'
              ? t('WEBHOOKS.SECRET.COPY_FAILED')
              : ''}
        </span>
      </div>
      <section className="section section-divided">
        <h3>{t('WEBHOOKS.SECRET.VERIFY')}</h3>
        <p className="muted">{t('WEBHOOKS.SECRET.VERIFY_TEXT')}</p>
        <pre className="webhook-code" aria-label={t('WEBHOOKS.SECRET.EXAMPLE')}>
          {example}
        </pre>
      </section>
    </>
  );
}

const example = `import { Webhook } from 'standardwebhooks';

// Throws where the message is not from here or was changed.
const { type, data } = new Webhook(secret).verify(body, headers);`;

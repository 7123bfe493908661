import { useTranslation } from 'react-i18next';
import { CopyText } from '#web/ui/copy-text.tsx';
import { Notice } from '#web/ui/notice.tsx';

/** The secret of a new webhook, which is shown this once, and what it is for. */
export function WebhookSecret({ secret }: { secret: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Notice severity="ok" role="status" title={t('WEBHOOKS.SECRET.READY')} />
      <p>{t('WEBHOOKS.SECRET.TEXT')}</p>
      <CopyText
        text={secret}
        once
        label={t('WEBHOOKS.SECRET.LABEL')}
        copy={t('WEBHOOKS.SECRET.COPY')}
        copied={t('WEBHOOKS.SECRET.COPIED')}
        failed={t('WEBHOOKS.SECRET.COPY_FAILED')}
      />
      <section className="section section-divided">
        <h3>{t('WEBHOOKS.SECRET.VERIFY')}</h3>
        <p className="muted">{t('WEBHOOKS.SECRET.VERIFY_TEXT')}</p>
        <pre className="code-block" aria-label={t('WEBHOOKS.SECRET.EXAMPLE')}>
          {example}
        </pre>
      </section>
    </>
  );
}

const example = `import { Webhook } from 'standardwebhooks';

// Throws if the message is not from this installation or was changed.
const { type, data } = new Webhook(secret).verify(body, headers);`;

import { useTranslation } from 'react-i18next';
import { CopyText } from '#web/ui/copy-text.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { firstCall } from './first-call.ts';
import { base } from '#web/platform/base.ts';

/** The secret of a new token, which is shown this once, and how a script sends it. */
export function TokenSecret({ secret, rights }: { secret: string; rights: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <>
      <Notice severity="ok" role="status" title={t('API_TOKENS.SECRET.READY')} />
      <p>{t('API_TOKENS.SECRET.TEXT')}</p>
      <CopyText
        text={secret}
        once
        label={t('API_TOKENS.SECRET.LABEL')}
        copy={t('API_TOKENS.SECRET.COPY')}
        copied={t('API_TOKENS.SECRET.COPIED')}
        failed={t('API_TOKENS.SECRET.COPY_FAILED')}
      />
      <section className="section section-divided">
        <h3>{t('API_TOKENS.SECRET.USE')}</h3>
        <pre className="code-block" aria-label={t('API_TOKENS.SECRET.USE')}>
          {`curl -H "Authorization: Bearer $TOKEN" ${window.location.origin}${base}${firstCall(rights)}`}
        </pre>
      </section>
    </>
  );
}

import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextInput } from '../../ui/text-input.tsx';

/** The secret of a new token, which is shown this once, and how a script sends it. */
export function TokenSecret({ secret }: { secret: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Notice severity="ok" role="status" title={t('API_TOKENS.SECRET.READY')} />
      <p>{t('API_TOKENS.SECRET.TEXT')}</p>
      <Field label={t('API_TOKENS.SECRET.LABEL')}>
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
      <CopyButton
        tone="primary"
        text={secret}
        label={t('API_TOKENS.SECRET.COPY')}
        copied={t('API_TOKENS.SECRET.COPIED')}
        failed={t('API_TOKENS.SECRET.COPY_FAILED')}
      />
      <section className="section section-divided">
        <h3>{t('API_TOKENS.SECRET.USE')}</h3>
        <pre className="token-code" aria-label={t('API_TOKENS.SECRET.USE')}>
          {`curl -H "Authorization: Bearer $TOKEN" ${window.location.origin}/v1/flags`}
        </pre>
      </section>
    </>
  );
}

import type { ErrorSample } from '#features/diagnostics/contract/diagnostics.ts';
import { useTranslation } from 'react-i18next';

type Fields = ErrorSample['tags'];
type EventFieldsProps = { sample: ErrorSample; eventId: string; requestId: string | null };

/** Tags and the request; what is needed more rarely is folded. */
export function EventFields({ sample, eventId, requestId }: EventFieldsProps) {
  const { t } = useTranslation();
  const { request, tags, extra, contexts, transaction, sdk, platform } = sample;
  const about: Fields = [
    { name: t('DIAGNOSTICS.FIELDS.EVENT_ID'), value: eventId },
    { name: t('DIAGNOSTICS.FIELDS.REQUEST_ID'), value: requestId ?? '' },
    { name: t('DIAGNOSTICS.FIELDS.TRANSACTION'), value: transaction ?? '' },
    {
      name: t('DIAGNOSTICS.FIELDS.ADDRESS'),
      value: [request?.method, request?.url].filter(Boolean).join(' '),
    },
    { name: t('DIAGNOSTICS.FIELDS.SDK'), value: [platform, sdk].filter(Boolean).join(', ') },
  ].filter(({ value }) => value !== '');
  return (
    <>
      <section className="section" aria-labelledby="error-tags">
        <h3 id="error-tags">{t('DIAGNOSTICS.FIELDS.TITLE')}</h3>
        <FieldList fields={[...about, ...tags]} />
      </section>
      <MoreFields title={t('DIAGNOSTICS.FIELDS.HEADERS')} fields={request?.headers ?? []} />
      <MoreFields title={t('DIAGNOSTICS.FIELDS.EXTRA')} fields={extra} />
      {contexts.map(({ name, fields }) => (
        <MoreFields key={name} title={name} fields={fields} />
      ))}
    </>
  );
}

function MoreFields({ title, fields }: { title: string; fields: Fields }) {
  if (fields.length === 0) return null;
  return (
    <details className="more-fields">
      <summary className="strong">{title}</summary>
      <FieldList fields={fields} />
    </details>
  );
}

export function FieldList({ fields }: { fields: Fields }) {
  return (
    <dl className="facts even breaks">
      {fields.map(({ name, value }, index) => (
        <div key={`${index}-${name}`}>
          <dt dir="auto">{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

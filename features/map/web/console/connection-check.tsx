import { checkMapServer, type MapServerOutcome } from '#features/map/contract/manage.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { readProblemText } from '#web/platform/calls/problem-text.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Table } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';

/** Whether the map server answers the operator, and a member without other rights. */
export function ConnectionCheck() {
  const { t } = useTranslation();
  const api = useApi();
  const check = useMutation({ mutationFn: () => api.call(checkMapServer, {}) });
  const { data } = check;
  return (
    <section className="map-console-card panel clipped" aria-labelledby="map-check-title">
      <h2 id="map-check-title">{t('MAP_LAYERS.CHECK.TITLE')}</h2>
      <div className="map-console-check to-start stack">
        <p className="muted">{t('MAP_LAYERS.CHECK.LEAD')}</p>
        <Button icon="refresh" busy={check.isPending} onClick={() => check.mutate()}>
          {t('MAP_LAYERS.CHECK.ACTION')}
        </Button>
      </div>
      <div role="status" className="map-console-answer">
        {check.error === null ? null : <Notice severity="high">{readProblemText(t, check.error)}</Notice>}
        {data?.address === null ? <p>{t('MAP_LAYERS.CHECK.NONE')}</p> : null}
        {data === undefined || data.address === null ? null : (
          <>
            <p>
              {t('MAP_LAYERS.CHECK.ADDRESS')} <code>{data.address}</code>
            </p>
            <Table
              caption={t('MAP_LAYERS.CHECK.TITLE')}
              rows={data.services}
              rowKey={({ service }) => service}
              columns={[
                {
                  key: 'service',
                  header: t('MAP_LAYERS.CHECK.SERVICE'),
                  role: 'primary',
                  cell: ({ service }) => <strong>{service.toUpperCase()}</strong>,
                },
                {
                  key: 'you',
                  header: t('MAP_LAYERS.CHECK.YOU'),
                  narrow: 'labelled',
                  cell: ({ you }) => <Outcome outcome={you} />,
                },
                {
                  key: 'member',
                  header: t('MAP_LAYERS.CHECK.MEMBER'),
                  narrow: 'labelled',
                  cell: ({ member }) => <Outcome outcome={member} />,
                },
              ]}
            />
          </>
        )}
      </div>
    </section>
  );
}

function Outcome({
  outcome: { outcome, status, took, message, listed, visible },
}: {
  outcome: MapServerOutcome;
}) {
  const { t } = useTranslation();
  const { number } = useFormats();
  return (
    <div>
      <Tag kind={outcome === 'ok' ? 'ok' : 'high'}>{t(`MAP_LAYERS.CHECK.${outcome.toUpperCase()}`)}</Tag>{' '}
      <span className="muted">{`${status === null ? '' : `${status} · `}${number(took)} ms`}</span>
      {outcome === 'ok' ? (
        <span className="map-console-detail muted small breaks line">
          {t('MAP_LAYERS.CHECK.LAYERS', { visible, count: listed })}
        </span>
      ) : null}
      {message === '' ? null : (
        <span className="map-console-detail muted small breaks line" dir="auto">
          {message}
        </span>
      )}
    </div>
  );
}

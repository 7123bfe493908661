import type { ErrorEvent, FullError } from '#features/diagnostics/contract/diagnostics.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { retryProps } from '#web/platform/calls/retry-props.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { useAddressFilter } from '#web/platform/lists/address-filter.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { RetryNotice, Skeleton } from '#web/ui/states.tsx';
import { eventQuery } from '../errors-queries.ts';
import { BreadcrumbTrail } from './breadcrumb-trail.tsx';
import { errorAsText } from './error-as-text.ts';
import { EventFields } from './event-fields.tsx';
import { StackTrace } from './stack-trace.tsx';

/** One event with what came with it: stack, steps before, request; and the way to older and newer ones. */
export function EventSection({ error }: { error: FullError }) {
  const { t } = useTranslation();
  const [address, setAddress] = useAddressFilter(['event']);
  const wanted = /^[1-9]\d{0,15}$/.test(address.event) ? address.event : 'latest';
  const query = useQuery(eventQuery(useApi(), error.id, wanted));
  const { data: event } = query;
  const go = (number: number | null) => setAddress({ event: number === null ? '' : String(number) });
  return (
    <section className="error-event" aria-labelledby="error-event">
      <div className="error-event-head">
        <h2 id="error-event">{t('DIAGNOSTICS.EVENT.TITLE')}</h2>
        {event === undefined ? null : (
          <div className="button-row">
            <Button
              small
              icon="chevron-left"
              disabled={event.previous === null}
              onClick={() => go(event.previous)}
            >
              {t('DIAGNOSTICS.EVENT.OLDER')}
            </Button>
            <Button small disabled={event.next === null} onClick={() => go(event.next)}>
              {t('DIAGNOSTICS.EVENT.NEWER')}
            </Button>
            <Button small disabled={event.next === null} onClick={() => go(null)}>
              {t('DIAGNOSTICS.EVENT.NEWEST')}
            </Button>
          </div>
        )}
      </div>
      {event !== undefined ? (
        <EventView error={error} event={event} />
      ) : query.isPending ? (
        <Skeleton label={t('DIAGNOSTICS.EVENT.LOADING')} count={6} />
      ) : (
        <RetryNotice retry={retryProps(t, query).retry}>{t('DIAGNOSTICS.EVENT.FAILED')}</RetryNotice>
      )}
    </section>
  );
}

function EventView({ error, event }: { error: FullError; event: ErrorEvent }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { sample, release, environment, browser, system, receivedAt, requestId, reports } = event;
  const facts = [release, environment, browser, system].filter((fact) => fact !== null);
  return (
    <>
      <p className="error-event-facts">
        <time dateTime={new Date(receivedAt).toISOString()}>{formats.exact(receivedAt)}</time>
        {facts.map((fact) => (
          <span key={fact} dir="auto">
            {fact}
          </span>
        ))}
      </p>
      {reports === null || reports.length === 0 ? null : (
        <section className="section">
          <h3>{t('DIAGNOSTICS.REPORTS.TITLE')}</h3>
          <ul className="error-reports">
            {reports.map(({ id, number, excerpt, by }) => (
              <li key={id}>
                <Link to="/reports" search={{ report: id }}>
                  {`#${number}`}
                </Link>{' '}
                <span dir="auto">{excerpt}</span>{' '}
                <span className="muted">
                  {t(by === 'event' ? 'DIAGNOSTICS.REPORTS.BY_EVENT' : 'DIAGNOSTICS.REPORTS.BY_PERSON')}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {sample === null ? (
        <Notice severity="info">{t('DIAGNOSTICS.EVENT.NO_SAMPLE')}</Notice>
      ) : (
        <>
          <StackTrace sample={sample} />
          <BreadcrumbTrail breadcrumbs={sample.breadcrumbs} happenedAt={sample.happenedAt ?? receivedAt} />
          <EventFields sample={sample} eventId={event.eventId} requestId={requestId} />
        </>
      )}
      <CopyButton
        small
        text={errorAsText(error, event, window.location)}
        label={t('DIAGNOSTICS.EVENT.COPY')}
        copied={t('DIAGNOSTICS.COPIED')}
        failed={t('DIAGNOSTICS.COPY_FAILED')}
      />
    </>
  );
}

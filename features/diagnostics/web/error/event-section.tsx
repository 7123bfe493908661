import type {
  Breadcrumb,
  ErrorEvent,
  FullError,
  StackFrame,
} from '#features/diagnostics/contract/diagnostics.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useState } from 'react';
import { base } from '#web/platform/base.ts';
import { isFirstLoad, retryProps, useAddressFilter } from '#web/platform/lists/list-state.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { RetryNotice, Skeleton } from '#web/ui/states.tsx';
import { eventQuery } from '../errors-queries.ts';
import { EventFields, StackTrace } from './stack-trace.tsx';
import { useFormats } from '#web/platform/contexts.tsx';
import { waitIn } from '#web/platform/i18n/formats.ts';

/** One event with its stack, breadcrumbs and request, and buttons for older and newer events. */
export function EventSection({ error }: { error: FullError }) {
  const { t } = useTranslation();
  const [address, setAddress] = useAddressFilter(['event']);
  const wanted = /^[1-9]\d{0,15}$/.test(address.event) ? address.event : 'latest';
  const query = useQuery(eventQuery(error.id, wanted));
  const { data: event } = query;
  const go = (number: number | null) => setAddress({ event: number === null ? '' : String(number) });
  return (
    <section className="error-event stack gap-5 ruled" aria-labelledby="error-event">
      <div className="row wrap gap-2-4 between">
        <h2 id="error-event">{t('DIAGNOSTICS.EVENT.TITLE')}</h2>
        {event === undefined ? null : (
          <div className="row wrap">
            <Button small disabled={event.previous === null} onClick={() => go(event.previous)}>
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
      ) : isFirstLoad(query) ? (
        <Skeleton label={t('COMMON.LOADING')} count={6} />
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
      <p className="error-event-facts gap-0-2 dotted row wrap muted">
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
          <ul className="stack gap-1">
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
          <StackTrace error={error} sample={sample} />
          <BreadcrumbTrail breadcrumbs={sample.breadcrumbs} happenedAt={sample.happenedAt ?? receivedAt} />
          <EventFields sample={sample} eventId={event.eventId} requestId={requestId} />
        </>
      )}
      <CopyButton small text={errorAsText(error, event)} label={t('DIAGNOSTICS.EVENT.COPY')} />
    </>
  );
}

const usually = 12;

type BreadcrumbTrailProps = { breadcrumbs: readonly Breadcrumb[]; happenedAt: number };

const tones: Record<string, string> = { error: 'tone-high', fatal: 'tone-high', warning: 'tone-medium' };

/** What happened before, the newest last; each step shows how long before the error it was. */
function BreadcrumbTrail({ breadcrumbs, happenedAt }: BreadcrumbTrailProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [all, setAll] = useState(false);
  if (breadcrumbs.length === 0) return null;
  const hidden = all ? 0 : Math.max(0, breadcrumbs.length - usually);
  return (
    <section className="section" aria-labelledby="error-breadcrumbs">
      <h3 id="error-breadcrumbs">{t('DIAGNOSTICS.BREADCRUMBS.TITLE')}</h3>
      {hidden === 0 ? null : (
        <div>
          <Button small onClick={() => setAll(true)}>
            {t('DIAGNOSTICS.BREADCRUMBS.EARLIER', { count: hidden })}
          </Button>
        </div>
      )}
      <ol className="trail">
        {breadcrumbs.slice(hidden).map((step, index) => (
          <li key={index} className="relative">
            <span className={`trail-icon disc ${tones[step.level] ?? 'muted'}`}>
              <Icon name={iconOf(step)} size={14} />
            </span>
            <span className="trail-what breaks">
              <span className="muted small">{step.category || step.type}</span>{' '}
              <span dir="auto">{step.message}</span>
              {step.data.length === 0 ? null : (
                <span className="trail-data flex wrap muted small">
                  {step.data.map(({ name, value }) => (
                    <code key={name}>{`${name}=${value}`}</code>
                  ))}
                </span>
              )}
            </span>
            {step.at === null ? null : (
              <time dateTime={new Date(step.at).toISOString()} title={formats.exact(step.at)}>
                {happenedAt - step.at < 1_000
                  ? t('DIAGNOSTICS.BREADCRUMBS.JUST_BEFORE')
                  : t('DIAGNOSTICS.BREADCRUMBS.BEFORE', { time: waitIn(formats, happenedAt - step.at) })}
              </time>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function iconOf({ type, category, level }: Breadcrumb): IconName {
  if (level === 'error' || level === 'fatal') return 'alert';
  if (level === 'warning') return 'warning';
  if (/navigation/.test(type + category)) return 'chevron-right';
  if (/http|xhr|fetch/.test(type + category)) return 'external';
  return category.startsWith('ui') || type === 'user' ? 'person' : 'info';
}

/** An error in Markdown for an issue tracker, in English like the code. */
function errorAsText(error: FullError, event: ErrorEvent): string {
  const { sample } = event;
  const facts = [
    ['Events', `${error.events} (${error.people} people)`],
    ['First seen', withRelease(error.firstSeenAt, error.firstRelease)],
    ['Last seen', withRelease(error.lastSeenAt, error.lastRelease)],
    ['Browser', [event.browser, event.system].filter(Boolean).join(', ')],
    ['Environment', event.environment],
    ['Message', sample?.message === error.message ? null : sample?.message],
    ['Transaction', sample?.transaction],
    ['Request id', event.requestId],
    ['Event id', event.eventId],
  ].flatMap(([name, value]) => (value == null || value === '' ? [] : [`- ${name}: ${value}`]));
  const stacks = (sample?.errors ?? []).map(({ kind, message, frames }, index) =>
    [`${index > 0 ? 'Caused by ' : ''}${kind}: ${message}`, ...frames.map(lineOf)].join('\n'),
  );
  const steps = (sample?.breadcrumbs ?? []).map(
    ({ at, category, message }) =>
      `${at === null ? '' : `${new Date(at).toISOString()} `}${category} ${message}`,
  );
  return [
    `## ${error.kind}: ${error.message}`,
    '',
    ...facts,
    `- ${window.location.origin}${base}/diagnostics/${error.id}`,
    ...blockOf('Stack', stacks),
    ...blockOf('Before', steps),
    '',
  ].join('\n');
}

function withRelease(at: number, release: string | null): string {
  return new Date(at).toISOString() + (release === null ? '' : ` (${release})`);
}

function lineOf({ function: name, file, line, column }: StackFrame): string {
  const place = [file, line, column].filter((part) => part !== null).join(':');
  return `    at ${name === null ? place : `${name} (${place})`}`;
}

/** A code block. Quoted lines cannot end the block: its fence is longer than any fence in them. */
function blockOf(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const text = lines.join('\n');
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return ['', `### ${title}`, '', fence, text, fence];
}

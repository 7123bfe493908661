import { errorFacet, type FullError } from '#features/diagnostics/contract/diagnostics.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { detailOf, useAddressFilter } from '#web/platform/lists/list-state.ts';
import { useCan, useFormats } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { useNow } from '#web/platform/time/use-now.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { DetailPage } from '#web/app/detail-page.tsx';
import { Time } from '#web/ui/time.tsx';
import { Menu, type MenuAction } from '#web/ui/menu.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { CountsPicture, ErrorPeriodChoice } from './counts-picture.tsx';
import { DeleteErrorsDialog, useErrorChange } from './error-changes.tsx';
import { ErrorAssignee, ErrorComments, SimilarErrors } from './error/error-work.tsx';
import { EventSection } from './error/event-section.tsx';
import { errorQuery, periodOf } from './errors-queries.ts';
import { ErrorTags } from './list/error-list.tsx';
import './diagnostics.css';
import './error/error.css';

/** One error: how often, since when, where, and what happened before. */
export function ErrorScreen() {
  const { t } = useTranslation();
  const { timeZone } = useFormats();
  const { errorId = '' }: { errorId?: string } = useParams({ strict: false });
  const [address] = useAddressFilter(['period']);
  const query = useQuery(errorQuery(errorId, address.period, timeZone));
  const { thing: error, frame } = detailOf(t, query, (data) => (data.id === errorId ? data : undefined));
  return (
    <DetailPage
      up="/diagnostics"
      upTitle={t('DIAGNOSTICS.TITLE')}
      heading={error?.kind ?? t('DIAGNOSTICS.ERROR_TITLE')}
      texts="DIAGNOSTICS.ONE"
      {...frame}
    >
      {error === undefined ? null : <ErrorPage key={error.id} error={error} />}
    </DetailPage>
  );
}

function ErrorPage({ error }: { error: FullError }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [address, setAddress] = useAddressFilter(['period']);
  const [deleting, setDeleting] = useState(false);
  const now = useNow(30_000);
  return (
    <>
      <ErrorHead error={error} now={now} onDelete={() => setDeleting(true)} />
      <div className="error-columns stack gap-6 above-4">
        <section className="error-counts stack" aria-label={t('DIAGNOSTICS.OVER_TIME')}>
          <ErrorPeriodChoice
            period={periodOf(address.period)}
            onPeriod={(period) => setAddress({ period: period === '24h' ? '' : period })}
          />
          <CountsPicture period={error.period} events={error.counts} />
        </section>
        <section className="error-aside stack panel gap-5 pad-4" aria-label={t('DIAGNOSTICS.FACTS.LABEL')}>
          <ErrorFacts error={error} now={now} />
        </section>
        <div className="stack gap-6 shrinks">
          <EventSection error={error} />
          <ErrorComments error={error} />
        </div>
        <aside className="error-aside stack panel gap-5 pad-4" aria-label={t('DIAGNOSTICS.FACETS.LABEL')}>
          <Facets error={error} />
          <SimilarErrors error={error} />
          <HistoryLink subject={error.id} />
        </aside>
      </div>
      {deleting ? (
        <DeleteErrorsDialog
          errors={[error]}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate({ to: '/diagnostics' })}
        />
      ) : null}
    </>
  );
}

/** Since when and how often, and whom it concerns. */
function ErrorFacts({ error, now }: { error: FullError; now: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { events, people, firstSeenAt, lastSeenAt, returnedAt } = error;
  const seen = (at: number, release: string | null) => (
    <>
      <Time at={at} formats={formats} now={() => now} />
      {release === null ? null : <span className="line muted small">{release}</span>}
    </>
  );
  return (
    <>
      <dl className="error-line flex above-1">
        <div>
          <dt>{t('DIAGNOSTICS.FACTS.FIRST_SEEN')}</dt>
          <dd>{seen(firstSeenAt, error.firstRelease)}</dd>
        </div>
        {returnedAt === null ? null : (
          <div>
            <dt>{t('DIAGNOSTICS.FACTS.RETURNED')}</dt>
            <dd>{seen(returnedAt, null)}</dd>
          </div>
        )}
        <div>
          <dt>{t('DIAGNOSTICS.FACTS.LAST_SEEN')}</dt>
          <dd>{seen(lastSeenAt, error.lastRelease)}</dd>
        </div>
      </dl>
      <dl className="facts baseline">
        <dt>{t('DIAGNOSTICS.COLUMNS.EVENTS')}</dt>
        <dd>{formats.number(events)}</dd>
        <dt>{t('DIAGNOSTICS.COLUMNS.PEOPLE')}</dt>
        <dd>{formats.number(people)}</dd>
        <dt>{t('DIAGNOSTICS.FACTS.PROJECT')}</dt>
        <dd>{error.projectName}</dd>
        <dt>{t('DIAGNOSTICS.ASSIGNEE.LABEL')}</dt>
        <dd>
          <ErrorAssignee error={error} />
        </dd>
      </dl>
    </>
  );
}

type Values = FullError['facets'][keyof FullError['facets']];

/** How its events divide among releases, browsers, systems and environments. */
function Facets({ error }: { error: FullError }) {
  const { t } = useTranslation();
  return errorFacet.options.map((facet) => {
    const values = error.facets[facet];
    if (values.length === 0) return null;
    return <Facet key={facet} title={t(`DIAGNOSTICS.FACETS.${catalogueKey(facet)}`)} values={values} />;
  });
}

const usually = 4;

function Facet({ title, values }: { title: string; values: Values }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [all, setAll] = useState(false);
  const sum = values.reduce((count, { events }) => count + events, 0);
  const share = new Intl.NumberFormat(formats.locale, { style: 'percent', maximumFractionDigits: 0 });
  return (
    <section className="facet stack gap-2 to-start">
      <h2>{title}</h2>
      <div className="facet-bar flex full" aria-hidden="true">
        {values.map(({ value, events }, index) => (
          <span key={value} data-shade={Math.min(index, usually)} style={{ flexGrow: events }} />
        ))}
      </div>
      <ul className="stack gap-2 full">
        {values.slice(0, all ? undefined : usually).map(({ value, events }, index) => (
          <li key={value} title={t('DIAGNOSTICS.EVENTS', { count: events, number: formats.number(events) })}>
            <span className="dot" data-shade={Math.min(index, usually)} aria-hidden="true" />
            <span className="cut" dir="auto">
              {value}
            </span>
            <span className="muted">{share.format(events / sum)}</span>
          </li>
        ))}
      </ul>
      {values.length > usually && !all ? (
        <Button small tone="quiet" onClick={() => setAll(true)}>
          {t('DIAGNOSTICS.FACETS.MORE', { count: values.length - usually })}
        </Button>
      ) : null}
    </section>
  );
}

type ErrorHeadProps = { error: FullError; now: number; onDelete: () => void };

/** The error's kind and message, its status, and the actions on it. */
function ErrorHead({ error, now, onDelete }: ErrorHeadProps) {
  const { t } = useTranslation();
  const mayWrite = useCan()('DIAGNOSTICS_WRITE');
  const { kind, message, place, level, status, resolvedAfter } = error;
  return (
    <header className="row wrap between top gap-3-6">
      <div className="error-head-text shrinks stack gap-1">
        <h1 className="heading" tabIndex={-1} dir="auto">
          {kind}
        </h1>
        <p className="error-head-message prose breaks" dir="auto">
          {message}
        </p>
        <p className="error-head-tags row wrap above-1">
          <Tag kind={status === 'resolved' ? 'ok' : 'plain'}>
            {t(`DIAGNOSTICS.IS.${catalogueKey(status)}`)}
          </Tag>
          <ErrorTags error={error} now={now} />
          {level === 'error' ? null : <Tag>{t(`DIAGNOSTICS.LEVELS.${catalogueKey(level)}`)}</Tag>}
          <code className="muted breaks">{place}</code>
        </p>
        {status === 'resolved' && resolvedAfter !== null ? (
          <p className="muted">{t('DIAGNOSTICS.RESOLVED_AFTER', { release: resolvedAfter })}</p>
        ) : null}
      </div>
      {mayWrite ? <Actions error={error} onDelete={onDelete} /> : null}
    </header>
  );
}

function Actions({ error, onDelete }: Omit<ErrorHeadProps, 'now'>) {
  const { t } = useTranslation();
  const change = useErrorChange();
  const run = (what: Parameters<typeof change.mutate>[0]['change']) =>
    change.mutate({ change: what, errors: [error] });
  const isOpen = error.status === 'open';
  const others: MenuAction[] = [
    ...(isOpen && error.lastRelease !== null
      ? [
          {
            label: t('DIAGNOSTICS.ACTIONS.RESOLVE_IN_NEXT_RELEASE'),
            icon: 'check' as const,
            onSelect: () => run('resolve-in-next-release'),
          },
        ]
      : []),
    ...(isOpen
      ? [
          {
            label: t('DIAGNOSTICS.ACTIONS.IGNORE'),
            icon: 'eye-off' as const,
            onSelect: () => run('ignore'),
          },
        ]
      : []),
    { label: t('DIAGNOSTICS.ACTIONS.DELETE_ASK'), icon: 'trash', danger: true, onSelect: onDelete },
  ];
  return (
    <div className="screen-actions">
      {isOpen ? (
        <Button tone="primary" icon="check" busy={change.isPending} onClick={() => run('resolve')}>
          {t('DIAGNOSTICS.ACTIONS.RESOLVE')}
        </Button>
      ) : (
        <Button busy={change.isPending} onClick={() => run('reopen')}>
          {t('DIAGNOSTICS.ACTIONS.REOPEN')}
        </Button>
      )}
      <Menu
        label={t('DIAGNOSTICS.ACTIONS.OTHERS')}
        button={
          <>
            {t('DIAGNOSTICS.ACTIONS.OTHERS')}
            <Icon name="chevron-down" />
          </>
        }
        items={others}
      />
    </div>
  );
}

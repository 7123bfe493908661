import type { MaintenanceMode } from '#features/maintenance/contract/maintenance.ts';
import {
  type AttentionItem,
  type FirstStep,
  type FirstSteps,
  firstSteps,
  getOverview,
  type OverviewPeriod,
  overviewPeriod,
  setFirstSteps,
} from '#features/overview/contract/overview.ts';
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '#web/app/app-context.tsx';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { listState, useAskedAction } from '#web/platform/lists/list-state.ts';
import { storedChoice } from '#web/platform/state/stored-choice.ts';
import { useStore } from '#web/platform/state/use-store.ts';
import { useNow } from '#web/platform/time/use-now.ts';
import { Icon } from '#web/ui/icon.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { PeriodChoice } from '#web/ui/period-choice.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Tag, type TagKind } from '#web/ui/tag.tsx';
import { RecentChanges } from '#features/audit/web/recent-changes.tsx';
import { lineOf } from '#web/late.ts';
import { OverviewTiles, periodKeys } from './overview-tiles.tsx';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import '#web/ui/screen.css';
import './overview.css';

const tags: Record<MaintenanceMode, TagKind> = { off: 'ok', 'read-only': 'medium', full: 'high' };

/** How far back the pictures reach; this browser remembers it. */
const chosenPeriod = storedChoice<OverviewPeriod>('portico.overview.period', ['24h', '7d', '30d']);

/** The first screen of operators: the state of things, what needs an operator, and what was changed last. */
export function OverviewScreen() {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow(10_000);
  const period = useStore(chosenPeriod);
  const answer = useQuery(overviewQuery(period));
  const mode = useReloads();
  const overview = answer.data;
  const place = formats.timeZone.slice(formats.timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');
  return (
    <div className="overview stack gap-5">
      <header className="row wrap between gap-2-3">
        <h1 className="narrow-unseen">{t('OVERVIEW.TITLE')}</h1>
        <Tag kind={tags[mode]}>{t(`OVERVIEW.MODES.${catalogueKey(mode)}`)}</Tag>
        <p className="overview-now narrow-unseen end muted small breaks">
          {t('OVERVIEW.NOW', { time: formats.dateTime(now), place })}
        </p>
        <PeriodChoice
          label={t('OVERVIEW.PERIOD')}
          periods={overviewPeriod.options.map((value) => ({
            value,
            short: t(`OVERVIEW.PERIODS.${periodKeys[value]}.SHORT`),
            long: t(`OVERVIEW.PERIODS.${periodKeys[value]}.LONG`),
          }))}
          value={period}
          onValue={chosenPeriod.set}
        />
      </header>
      <ListFrame texts="OVERVIEW" {...listState(t, answer)} skeletonRows={6}>
        {overview === undefined ? null : (
          <>
            {answer.isError ? (
              <Notice severity="medium" role="status">
                {t('OVERVIEW.OUTDATED', { time: formats.time(answer.dataUpdatedAt) })}
              </Notice>
            ) : null}
            <OverviewTiles overview={overview} now={now} />
            <div className="overview-columns grid gap-4">
              <div className="stack gap-4">
                {overview.firstSteps === null ? null : (
                  <FirstStepsList steps={overview.firstSteps} queryKey={overviewKey} />
                )}
                <AttentionList items={overview.attention} now={now} />
              </div>
              {overview.audit === null ? null : (
                <Changes>
                  <RecentChanges entries={overview.audit} now={now} />
                </Changes>
              )}
            </div>
          </>
        )}
      </ListFrame>
    </div>
  );
}

/** Loads the overview again when maintenance or a list changes that it counts; returns what people meet now. */
function useReloads(): MaintenanceMode {
  const { live, maintenance } = useApp();
  const queries = useQueryClient();
  useEffect(() => {
    const reload = () => void queries.invalidateQueries({ queryKey: overviewKey });
    const stops = [
      live.on('changed', ({ list, within }) => {
        if (list === 'reports') setTimeout(reload, Math.random() * within);
      }),
      maintenance.state.subscribe(reload),
      // Only from then on does the server count this person as online.
      live.connected.subscribe(() => live.connected.get() && reload()),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [live, maintenance, queries]);
  return useStore(maintenance.state).mode;
}

function Changes({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const heading = useId();
  return (
    <section className="overview-card panel clipped" aria-labelledby={heading}>
      <h2 id={heading} className="row between gap-4">
        {t('OVERVIEW.CHANGES')}
        <Link to="/audit">{t('AUDIT.TITLE')}</Link>
      </h2>
      {children}
    </section>
  );
}

const everyMs = 60_000;

/** The prefix of the keys under which the overview is cached. */
const overviewKey = ['overview'] as const;

/** The overview, loaded again each minute: figures and what is due change without an event. */
const overviewQuery = (period: OverviewPeriod) =>
  queryOptions({
    ...routeQuery([...overviewKey, period], getOverview, { query: { period } }),
    // The known figures stay until those of another period have arrived.
    placeholderData: keepPreviousData,
    // A person who connects the first SDK waits for the step to be ticked.
    refetchInterval: ({ state: { data } }) =>
      data?.firstSteps != null && waitForSdk(data.firstSteps) ? everyMs / 12 : everyMs,
  });

const icons = { high: 'alert', medium: 'warning', info: 'info' } as const;

/** What needs an operator, the most urgent first, each with the way there. */
function AttentionList({ items, now }: { items: readonly AttentionItem[]; now: number }) {
  const { t } = useTranslation();
  const heading = useId();
  return (
    <section className="overview-card panel clipped" aria-labelledby={heading}>
      <h2 id={heading} className="row between gap-4">
        {t('OVERVIEW.ATTENTION.TITLE')}
      </h2>
      {items.length === 0 ? (
        <p className="row gap-3 pad-4">
          <span className="ok">
            <Icon name="check-circle" size={18} />
          </span>
          <span className="grid">
            <strong>{t('OVERVIEW.ATTENTION.NONE')}</strong>
            <span className="muted small">{t('OVERVIEW.ATTENTION.NONE_TEXT')}</span>
          </span>
        </p>
      ) : (
        <ul>
          {bySeverity(items).map((item, index) => (
            <AttentionRow key={index} item={item} now={now} />
          ))}
        </ul>
      )}
    </section>
  );
}

function bySeverity(items: readonly AttentionItem[]): AttentionItem[] {
  const looks = Object.keys(icons);
  return items.toSorted((a, b) => looks.indexOf(lineOf(a).look) - looks.indexOf(lineOf(b).look));
}

function AttentionRow({ item, now }: { item: AttentionItem; now: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { look, link, words } = lineOf(item);
  const { to, search } = link(item);
  const key = `OVERVIEW.ATTENTION.${catalogueKey(item.kind)}`;
  const { title, text, action } = words(item, {
    part: (name, values) => t(`${key}.${name}`, values ?? {}),
    formats,
    now,
    named(names, count) {
      const more = count - names.length;
      const rest =
        more > 0 ? [t('OVERVIEW.ATTENTION.MORE', { count: more, number: formats.number(more) })] : [];
      return formats.list([...names, ...rest]);
    },
  });
  const about = useId();
  return (
    <li className="overview-row grid middle gap-3 ruled">
      <span className={`overview-icon ${look}`}>
        <Icon name={icons[look]} />
        <span className="visually-hidden">{t(`OVERVIEW.ATTENTION.LOOKS.${look.toUpperCase()}`)}</span>
      </span>
      <span className="overview-row-text grid breaks">
        <span id={about} dir="auto">
          {t(`${key}.TITLE`, title)}
        </span>
        <span
          className="two-lines muted small"
          dir="auto"
          data-private={item.kind === 'reports' ? true : undefined}
        >
          {text}
        </span>
      </span>
      <Link className="button button-small" to={to} search={search ?? {}} aria-describedby={about}>
        {action ?? t(`${key}.ACTION`)}
      </Link>
    </li>
  );
}

/** The screen on which each step is done. Mail is configured where the server is started. */
const places: Record<Exclude<FirstStep, 'mail'>, { to: string; search: Record<string, string> }> = {
  protect: { to: '/security', search: {} },
  application: { to: '/settings/apps', search: {} },
  person: { to: '/people', search: { do: 'invite' } },
  flag: { to: '/flags', search: { do: 'new' } },
  sdk: { to: '/settings/client-keys', search: {} },
  branding: { to: '/settings/branding', search: {} },
};
const mailExample = 'SMTP_URL=smtps://user:password@mail.example.org';

/** Whether the list is shown and waits for the first SDK. */
function waitForSdk({ done, hidden }: FirstSteps): boolean {
  return !hidden && !done.includes('sdk');
}

/** The first steps of a new installation, each with a link; a step is ticked by what exists (CON-5). */
function FirstStepsList({ steps, queryKey }: { steps: FirstSteps; queryKey: readonly string[] }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const heading = useId();
  const [asked, setAsked] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: (putAway: boolean) => api.call(setFirstSteps, { body: { hidden: putAway } }),
    async onSuccess(_, putAway) {
      await queries.invalidateQueries({ queryKey });
      if (putAway) notify({ kind: 'success', title: t('OVERVIEW.FIRST.HIDDEN') });
    },
    onError: (error) => notify({ kind: 'error', title: problemText(t, error) }),
  });
  useAskedAction('first-steps', true, () => {
    setAsked(true);
    if (steps.hidden) mutate(false);
  });
  const { done, hidden } = steps;
  // Once everything is done, the list is shown only to people who ask for it.
  if (hidden || (done.length === firstSteps.length && !asked)) return null;
  const words = (step: FirstStep, part: string) => t(`OVERVIEW.FIRST.${step.toUpperCase()}.${part}`);
  return (
    <section className="overview-card panel clipped" aria-labelledby={heading}>
      <h2 className="row between gap-4">
        <span id={heading}>{t('OVERVIEW.FIRST.TITLE')}</span>
        <span className="row">
          <span className="muted small">
            {t('OVERVIEW.FIRST.DONE', { done: done.length, all: firstSteps.length })}
          </span>
          <Button small tone="quiet" busy={isPending} onClick={() => mutate(true)}>
            {t('OVERVIEW.FIRST.HIDE')}
          </Button>
        </span>
      </h2>
      <ol>
        {firstSteps.map((step) => (
          <li key={step} className="overview-row grid middle gap-3 ruled" data-done={done.includes(step)}>
            <span className="overview-step round ok">
              {done.includes(step) ? <Icon name="check-circle" size={20} /> : null}
              <span className="visually-hidden">
                {t(done.includes(step) ? 'OVERVIEW.FIRST.IS_DONE' : 'OVERVIEW.FIRST.IS_OPEN')}
              </span>
            </span>
            <span className="overview-row-text grid breaks">
              <span id={`${heading}-${step}`}>{words(step, 'TITLE')}</span>
              <span className="two-lines muted small">
                {words(step, step === 'sdk' && done.includes(step) ? 'RECEIVED' : 'TEXT')}
              </span>
            </span>
            {done.includes(step) ? null : step === 'mail' ? (
              <CopyButton small text={mailExample} label={words(step, 'ACTION')} />
            ) : (
              <Link className="button button-small" {...places[step]} aria-describedby={`${heading}-${step}`}>
                {words(step, 'ACTION')}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

import { type ErrorStatus, errorOrder, errorStatus } from '#features/diagnostics/contract/diagnostics.ts';
import { listProjects } from '#features/diagnostics/contract/projects.ts';
import { ViewMenu } from '#features/views/web/view-menu.tsx';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { useCan, useFormats } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { listState, useAddressFilter } from '#web/platform/lists/list-state.ts';
import { useTypedSearch } from '#web/platform/lists/typed-search.ts';
import { useNow } from '#web/platform/time/use-now.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { FilterBar, ListFrame } from '#web/ui/list-frame.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Select } from '#web/ui/text-input.tsx';
import { DeleteErrorsDialog } from './error-changes.tsx';
import {
  countsQuery,
  type ErrorsAddress,
  errorsQuery,
  filtersQuery,
  listNames,
  orderOf,
  periodOf,
  projectsKey,
  sdkLines,
  statusOf,
} from './errors-queries.ts';
import { CountsPicture, ErrorPeriodChoice } from './counts-picture.tsx';
import { ErrorList } from './list/error-list.tsx';
import '#web/ui/tabs.css';
import './diagnostics.css';

const noFilter = { search: '', release: '', environment: '', project: '', assignee: '' };

/** The errors that applications report: how many over time, and each with where and how often it happens. */
export function DiagnosticsScreen() {
  const { t } = useTranslation();
  const { timeZone } = useFormats();
  const mayWrite = useCan()('DIAGNOSTICS_WRITE');
  const maySet = useCan()('SETTINGS_WRITE');
  const [address, setAddress] = useAddressFilter(listNames);
  const [typed, type] = useTypedSearch(address.search, (search) => setAddress({ search }));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [deleting, setDeleting] = useState(false);
  const now = useNow(30_000);

  const answer = useInfiniteQuery(errorsQuery(address, timeZone));
  const counts = useQuery(countsQuery(address, timeZone));
  const filters = useQuery(filtersQuery(address.project));
  const errors = useMemo(() => answer.data?.pages.flatMap((page) => page.errors) ?? [], [answer.data]);
  const inStatus = answer.data?.pages[0]?.counts;
  const status = statusOf(address.status);
  const isFiltered = Object.keys(noFilter).some((name) => address[name as keyof typeof noFilter] !== '');
  const isUnused =
    !isFiltered && inStatus !== undefined && Object.values(inStatus).every((count) => count === 0);
  const projects = filters.data?.projects ?? [];

  function show(change: Partial<ErrorsAddress>): void {
    setChosen(new Set());
    setAddress(change);
  }

  return (
    <div className="diagnostics">
      <ScreenHead title={t('DIAGNOSTICS.TITLE')} lead={t('DIAGNOSTICS.LEAD')}>
        <div className="screen-actions">
          {isUnused ? null : (
            <ErrorPeriodChoice
              period={periodOf(address.period)}
              onPeriod={(period) => setAddress({ period: period === '24h' ? '' : period })}
            />
          )}
          {maySet ? (
            <Link to="/settings/diagnostics" className="button">
              <Icon name="settings" />
              {t('DIAGNOSTICS.TO_SETTINGS')}
            </Link>
          ) : null}
        </div>
      </ScreenHead>

      {isUnused ? null : (
        <>
          <section className="diagnostics-counts above-4" aria-label={t('DIAGNOSTICS.OVER_TIME')}>
            <ListFrame texts="DIAGNOSTICS" {...listState(t, counts)} skeletonRows={3}>
              {counts.data === undefined ? null : <CountsPicture {...counts.data} />}
            </ListFrame>
          </section>
          <StatusTabs
            status={status}
            counts={inStatus}
            onStatus={(next) => show({ status: next === 'open' ? '' : next })}
          />
          <FilterBar
            search={{ label: t('DIAGNOSTICS.SEARCH'), value: typed, maxLength: 200, onValue: type }}
            chosen={[address.project, address.release, address.environment, address.assignee]}
            onClear={() => show({ ...noFilter, search: address.search })}
            foldsAt={1200}
          >
            {/* There before the projects are known, so that nothing moves: most installations have several. */}
            {projects.length !== 1 || address.project !== '' ? (
              <Select
                aria-label={t('DIAGNOSTICS.FILTERS.PROJECT')}
                value={address.project}
                onValue={(project) => show({ project, release: '', environment: '' })}
                options={withPresent(
                  address.project,
                  t('DIAGNOSTICS.FILTERS.ANY_PROJECT'),
                  projects.map(({ id, name }) => ({ value: String(id), label: name })),
                )}
              />
            ) : null}
            <Select
              aria-label={t('DIAGNOSTICS.FILTERS.RELEASE')}
              value={address.release}
              onValue={(release) => show({ release })}
              options={withPresent(
                address.release,
                t('DIAGNOSTICS.FILTERS.ANY_RELEASE'),
                named(filters.data?.releases),
              )}
            />
            <Select
              aria-label={t('DIAGNOSTICS.FILTERS.ENVIRONMENT')}
              value={address.environment}
              onValue={(environment) => show({ environment })}
              options={withPresent(
                address.environment,
                t('DIAGNOSTICS.FILTERS.ANY_ENVIRONMENT'),
                named(filters.data?.environments),
              )}
            />
            <Select
              aria-label={t('DIAGNOSTICS.ASSIGNEE.LABEL')}
              value={address.assignee}
              onValue={(assignee) => show({ assignee })}
              options={[
                { value: '', label: t('DIAGNOSTICS.ASSIGNEE.ANY') },
                { value: 'current', label: t('DIAGNOSTICS.ASSIGNEE.MINE') },
                { value: 'none', label: t('DIAGNOSTICS.ASSIGNEE.NOBODY') },
              ]}
            />
            <Select
              aria-label={t('DIAGNOSTICS.ORDER.LABEL')}
              value={orderOf(address.order)}
              onValue={(order) => setAddress({ order: order === 'last-seen' ? '' : order })}
              options={errorOrder.options.map((value) => ({
                value,
                label: t(`DIAGNOSTICS.ORDER.${catalogueKey(value)}`),
              }))}
            />
            <ViewMenu list="errors" fields={listNames} />
          </FilterBar>
        </>
      )}

      <ListFrame
        texts="DIAGNOSTICS"
        {...listState(t, answer)}
        skeletonRows={6}
        count={errors.length}
        onClear={isFiltered ? () => show(noFilter) : undefined}
      >
        {isUnused ? (
          <FirstErrors />
        ) : errors.length === 0 ? (
          <NoneInStatus status={status} />
        ) : (
          <ErrorList
            errors={errors}
            projectName={(id) =>
              projects.length > 1 && address.project === ''
                ? (projects.find((project) => project.id === id)?.name ?? '')
                : ''
            }
            selection={mayWrite ? { ids: chosen, set: setChosen } : null}
            status={status}
            onDelete={() => setDeleting(true)}
            now={now}
          />
        )}
      </ListFrame>

      {deleting ? (
        <DeleteErrorsDialog
          errors={errors.filter(({ id }) => chosen.has(id))}
          onClose={() => setDeleting(false)}
          onDeleted={() => setChosen(new Set())}
        />
      ) : null}
    </div>
  );
}

function NoneInStatus({ status }: { status: ErrorStatus }) {
  const { t } = useTranslation();
  const key = `DIAGNOSTICS.NONE.${catalogueKey(status)}`;
  return (
    <EmptyState icon={status === 'open' ? 'check-circle' : 'list'} title={t(`${key}.TITLE`)}>
      {t(`${key}.TEXT`)}
    </EmptyState>
  );
}

type StatusTabsProps = {
  status: ErrorStatus;
  counts: Record<ErrorStatus, number> | undefined;
  onStatus: (status: ErrorStatus) => void;
};

function StatusTabs({ status, counts, onStatus }: StatusTabsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <nav className="tabs above-5" aria-label={t('DIAGNOSTICS.STATUS')}>
      {errorStatus.options.map((one) => (
        <button
          key={one}
          type="button"
          aria-current={one === status ? 'page' : undefined}
          onClick={() => onStatus(one)}
        >
          {t(`DIAGNOSTICS.STATUSES.${catalogueKey(one)}`)}{' '}
          <span className="count-pill small">{counts && formats.number(counts[one])}</span>
        </button>
      ))}
    </nav>
  );
}

type Option = { value: string; label: string };

/** Adds the value in the address to the options: it may have no events any more. */
function withPresent(present: string, any: string, options: readonly Option[]): Option[] {
  const isKnown = present === '' || options.some(({ value }) => value === present);
  return [{ value: '', label: any }, ...options, ...(isKnown ? [] : [{ value: present, label: present }])];
}

function named(values: readonly string[] = []): Option[] {
  return values.map((value) => ({ value, label: value }));
}

/** Shows how to connect an application, as long as no error has been reported. */
function FirstErrors() {
  const { t } = useTranslation();
  const maySet = useCan()('SETTINGS_WRITE');
  const projects = useQuery({
    ...routeQuery(projectsKey, listProjects, {}),
    enabled: maySet,
  });
  const dsn = projects.data?.projects[0]?.keys[0]?.dsn;
  const code = dsn === undefined ? null : sdkLines(dsn);
  return (
    <EmptyState
      icon="check-circle"
      title={t('DIAGNOSTICS.FIRST.TITLE')}
      action={
        code === null ? undefined : (
          <div className="first-errors centers full stack">
            <pre className="code-block" aria-label={t('DIAGNOSTICS.FIRST.CODE')}>
              {code}
            </pre>
            <CopyButton text={code} label={t('DIAGNOSTICS.FIRST.COPY')} />
          </div>
        )
      }
    >
      {t(maySet ? 'DIAGNOSTICS.FIRST.TEXT' : 'DIAGNOSTICS.FIRST.TEXT_READ')}{' '}
      {maySet ? <Link to="/settings/diagnostics">{t('DIAGNOSTICS.FIRST.PROJECTS')}</Link> : null}
    </EmptyState>
  );
}

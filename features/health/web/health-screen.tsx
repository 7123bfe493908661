import {
  type Check,
  checks,
  getLog,
  type Log,
  logLevels,
  lookAt,
  needs,
  setLogLevel,
  type Warning,
} from '#features/health/contract/doctor.ts';
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { SettingsSection } from '#features/settings/web/settings-form.tsx';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi, useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { isFirstLoad } from '#web/platform/lists/list-state.ts';
import { Button } from '#web/ui/button.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/notice.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { Skeleton } from '#web/ui/states.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Time } from '#web/ui/time.tsx';

const checksKey = ['health', 'check'] as const;
const logKey = ['health', 'log'] as const;

/** Checks of what the installation needs, run while this screen is open, and the log's warnings (RUN-8, RUN-12). */
export function HealthScreen() {
  const { t } = useTranslation();
  const log = useQuery({ ...routeQuery(logKey, getLog, {}), refetchInterval: 10_000 });
  return (
    <div className="stack gap-4">
      <ScreenHead title={t('HEALTH.TITLE')} lead={t('HEALTH.LEAD')} />
      <ChecksSection />
      <SettingsSection
        id="health-log"
        divided
        title={t('HEALTH.LOG')}
        lead={t('HEALTH.LOG_LEAD')}
        settings={log}
        history="log"
      >
        {(known) => (
          <>
            <LevelField log={known} />
            <Warnings warnings={known.warnings} />
          </>
        )}
      </SettingsSection>
    </div>
  );
}

type Outcome = 'ok' | 'warning' | 'failed' | 'unknown';

const units: Record<string, string> = { kB: 'kilobyte', MB: 'megabyte', GB: 'gigabyte', TB: 'terabyte' };

/** `82.8 GB` in a language: `82,8 Go`. */
function sizeIn(locale: string, size: string): string {
  const [count, name = ''] = size.split(' ');
  return new Intl.NumberFormat(locale, { style: 'unit', unit: units[name] ?? 'byte' }).format(Number(count));
}

type Row = {
  key: string;
  name: string;
  outcome: Outcome;
  message: string;
  /** The message is in English in every language. */
  english?: boolean;
};
/** The outcomes in the order in which rows are listed: failures first. */
const outcomeLooks = {
  failed: 'high',
  unknown: 'plain',
  warning: 'medium',
  ok: 'ok',
} as const;
const outcomeOrder = Object.keys(outcomeLooks);

function ChecksSection() {
  const { t } = useTranslation();
  const formats = useFormats();
  const api = useApi();
  const queries = useQueryClient();
  const results = useQueries({
    queries: checks.map((check) => ({
      queryKey: [...checksKey, check],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.call(lookAt, { params: { check } }, { signal }),
      staleTime: Infinity,
      gcTime: 0,
      retry: false,
      refetchInterval: false,
    })),
  });
  const outcomes = Object.fromEntries(
    checks.map((check, index) => [check, results[index]?.data?.steps[0]?.outcome]),
  );
  /** The server writes times as ISO texts, and sizes as `82.8 GB`. */
  const written = (name: string, value: string) => {
    if (name === 'time') return formats.dateTime(Date.parse(value));
    return name === 'free' || name === 'size' ? sizeIn(formats.locale, value) : value;
  };
  const shown = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, written(name, value)]));
  const rows = checks.flatMap((check, index): Row[] => {
    const name = t(`HEALTH.CHECKS.${catalogueKey(check)}`);
    const needed: Check | undefined = needs[check];
    if (needed !== undefined && outcomes[needed] === 'failed') return [];
    const { error, data } = results[index] ?? {};
    if (data === undefined)
      return [{ key: check, name, outcome: 'unknown', message: error ? problemText(t, error) : '' }];
    return data.steps.map(({ findings, ...step }) => ({
      ...step,
      message:
        findings.map(({ key, values }) => t(`HEALTH.FINDINGS.${key}`, shown(values))).join(' ') ||
        step.message,
      english: findings.length === 0,
      key: step.name,
      name: [name, ...step.name.split(': ').slice(1)].join(': '),
    }));
  });
  const done = results.filter(({ isFetching }) => !isFetching).length;
  const busy = done < results.length;
  // The rows are shown once all results are there, so that none moves while a person reads it.
  const isFirst = results.some(isFirstLoad);
  rows.sort((a, b) => outcomeOrder.indexOf(a.outcome) - outcomeOrder.indexOf(b.outcome));
  const count = (wanted: Outcome): number => rows.filter(({ outcome }) => outcome === wanted).length;
  const columns: Column<Row>[] = [
    {
      key: 'name',
      header: t('HEALTH.WHAT'),
      role: 'primary',
      cell: ({ name }) => <strong>{name}</strong>,
    },
    {
      key: 'message',
      header: t('HEALTH.FOUND'),
      cell: ({ message, english = false }) => (
        <span className="breaks" lang={english ? 'en' : undefined}>
          {message}
        </span>
      ),
    },
    {
      key: 'outcome',
      header: t('HEALTH.OUTCOME'),
      role: 'beside',
      tight: true,
      cell: ({ outcome }) => (
        <Tag kind={outcomeLooks[outcome]}>{t(`HEALTH.OUTCOMES.${catalogueKey(outcome)}`)}</Tag>
      ),
    },
  ];
  return (
    <section className="section" aria-labelledby="health-checks">
      <div>
        <h2 id="health-checks">{t('HEALTH.CHECKED')}</h2>
        <p className="muted">{t('HEALTH.CHECKED_LEAD')}</p>
      </div>
      <div className="row wrap gap-3">
        <Button busy={busy} onClick={() => void queries.refetchQueries({ queryKey: checksKey })}>
          {t('HEALTH.AGAIN')}
        </Button>
        <span className="muted" role="status">
          {busy
            ? t('HEALTH.UNDER_WAY', { done, all: checks.length })
            : t('HEALTH.SUMMARY', { failed: count('failed'), warnings: count('warning') })}
        </span>
      </div>
      {isFirst ? (
        <Skeleton label={t('COMMON.LOADING')} kind="rows" count={checks.length} />
      ) : (
        <Table caption={t('HEALTH.CHECKED')} columns={columns} rows={rows} rowKey={({ key }) => key} />
      )}
    </section>
  );
}

function LevelField({ log }: { log: Log }) {
  const { t } = useTranslation();
  const api = useApi();
  const formats = useFormats();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (level: (typeof logLevels)[number] | null) => api.call(setLogLevel, { body: { level } }),
    onSuccess: (answer) => queries.setQueryData(logKey, answer),
  });
  const usual = 'usual';
  return (
    <div className="measure">
      <SelectField
        label={t('HEALTH.LEVEL')}
        hint={
          log.until === null
            ? t('HEALTH.LEVEL_HINT')
            : t('HEALTH.LEVEL_UNTIL', { when: formats.dateTime(log.until) })
        }
        value={logLevels.find((level) => log.until !== null && level === log.level) ?? usual}
        options={[
          { value: usual, label: t('HEALTH.LEVELS.USUAL') },
          ...logLevels.map((value) => ({ value, label: t(`HEALTH.LEVELS.${catalogueKey(value)}`) })),
        ]}
        onValue={(value) => change.mutate(logLevels.find((level) => level === value) ?? null)}
      />
      <Problem>{change.isError ? problemText(t, change.error) : null}</Problem>
    </div>
  );
}

function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const clock = useServerClock();
  if (warnings.length === 0) return <p className="muted">{t('HEALTH.EMPTY')}</p>;
  const columns: Column<Warning>[] = [
    {
      key: 'message',
      header: t('HEALTH.MESSAGE'),
      role: 'primary',
      cell: ({ message }) => (
        <span lang="en" className="breaks">
          {message}
        </span>
      ),
    },
    {
      key: 'about',
      header: t('HEALTH.ABOUT'),
      cell: ({ request, requestId, reason }) => (
        <span lang="en" className="breaks">
          {[reason, request, requestId].filter((part) => part !== null).join(' · ')}
        </span>
      ),
    },
    {
      key: 'level',
      header: t('HEALTH.LEVEL'),
      role: 'beside',
      tight: true,
      cell: ({ level }) => (
        <Tag kind={level === 'warn' ? 'medium' : 'high'}>{t(`HEALTH.LEVELS.${catalogueKey(level)}`)}</Tag>
      ),
    },
    {
      key: 'when',
      header: t('HEALTH.WHEN'),
      tight: true,
      cell: ({ at }) => <Time at={at} formats={formats} now={clock.now} />,
    },
  ];
  const rows = warnings.map((warning, index) => ({ ...warning, key: `${warning.at} ${index}` }));
  return <Table caption={t('HEALTH.LOG')} columns={columns} rows={rows} rowKey={({ key }) => key} />;
}

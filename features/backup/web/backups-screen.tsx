import {
  type BackupRun,
  type Backups,
  getBackups,
  setBackups,
  startBackup,
  verifyStoredBackup,
} from '#features/backup/contract/backups.ts';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ZoneField } from '#features/profile/web/zone-field.tsx';
import { SettingsForm, SettingsSection, useSettingsForm } from '#features/settings/web/settings-form.tsx';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi, useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { problemsOf, type ProblemWords } from '#web/platform/forms/problems-of.ts';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { waitIn } from '#web/platform/i18n/formats.ts';
import { minutesEastOfUtc } from '#web/platform/time/time-offset.ts';
import { offsetName } from '#web/platform/time/time-zones.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice, Problem } from '#web/ui/notice.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Checkbox } from '#web/ui/text-input.tsx';
import { Time } from '#web/ui/time.tsx';
import { routeQuery } from '#web/platform/calls/route-query.ts';

const backupsKey = ['backups'] as const;

const isUnderWay = ({ state }: BackupRun): boolean => state === 'running' || state === 'verifying';

/** Loaded again every two seconds while a backup or a verification is in progress. */
const backupsQuery = queryOptions({
  ...routeQuery(backupsKey, getBackups, {}),
  refetchInterval: ({ state }) => (state.data?.runs.some(isUnderWay) === true ? 2_000 : 30_000),
});

/** The schedule of automatic backups, and the outcome of the last ones (RUN-7). */
export function BackupsScreen() {
  const { t } = useTranslation();
  const known = useQuery(backupsQuery);
  return (
    <div className="stack gap-4">
      <ScreenHead title={t('BACKUPS.TITLE')} lead={t('BACKUPS.LEAD')} />
      <SettingsSection
        id="backups-state"
        title={t('BACKUPS.LAST')}
        lead={t('BACKUPS.LAST_LEAD')}
        settings={known}
      >
        {(backups) => <LastBackups backups={backups} />}
      </SettingsSection>
      <SettingsSection
        id="backups-plan"
        divided
        title={t('BACKUPS.PLAN')}
        lead={t('BACKUPS.PLAN_LEAD')}
        settings={known}
        history="backups"
      >
        {(backups) => <PlanForm backups={backups} />}
      </SettingsSection>
    </div>
  );
}

function LastBackups({ backups }: { backups: Backups }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const api = useApi();
  const queries = useQueryClient();
  const { settings, runs, lastGoodAt, nextAt, old } = backups;
  const id = useId();
  const shown = { onSuccess: (answer: Backups) => queries.setQueryData(backupsKey, answer) };
  const now = useMutation({ mutationFn: () => api.call(startBackup, {}), ...shown });
  const [verifying, setVerifying] = useState<BackupRun | null>(null);
  const busy = runs.find(isUnderWay);
  return (
    <>
      {old ? <Notice severity="high">{t('BACKUPS.OLD')}</Notice> : null}
      <div className="row wrap between">
        <div>
          {runs.length === 0 ? <h3>{t('BACKUPS.EMPTY')}</h3> : null}
          <p id={id}>
            {runs.length === 0
              ? null
              : lastGoodAt === null
                ? t('BACKUPS.NONE_GOOD')
                : t('BACKUPS.LAST_GOOD', { when: formats.dateTime(lastGoodAt) })}{' '}
            {nextAt === null ? t('BACKUPS.OFF') : t('BACKUPS.NEXT', { when: formats.dateTime(nextAt) })}{' '}
            <span className="muted" role="status">
              {busy === undefined
                ? null
                : `${t(busy.state === 'running' ? 'BACKUPS.UNDER_WAY' : 'BACKUPS.VERIFYING')} ${busy.progress ?? ''}`}
            </span>
          </p>
        </div>
        <Button
          icon="download"
          aria-describedby={id}
          busy={now.isPending}
          disabled={settings.folder === null || busy !== undefined}
          onClick={() => now.mutate()}
        >
          {t('BACKUPS.NOW')}
        </Button>
      </div>
      {runs.length === 0 ? null : (
        <RunsTable runs={runs} isBusy={busy !== undefined} onVerify={setVerifying} />
      )}
      <Problem>{now.isError ? problemText(t, now.error) : null}</Problem>
      {verifying === null ? null : (
        <ConfirmAction
          title={t('BACKUPS.VERIFY_QUESTION', { when: formats.dateTime(verifying.startedAt) })}
          confirmLabel={t('BACKUPS.VERIFY')}
          action={() => api.call(verifyStoredBackup, { params: { runId: verifying.id } })}
          problem={(error) => problemText(t, error)}
          onDone={(answer) => {
            shown.onSuccess(answer);
            setVerifying(null);
          }}
          onCancel={() => setVerifying(null)}
        >
          <p>{t('BACKUPS.VERIFY_EFFECT')}</p>
        </ConfirmAction>
      )}
    </>
  );
}

type RunsTableProps = { runs: readonly BackupRun[]; isBusy: boolean; onVerify: (run: BackupRun) => void };

function RunsTable({ runs, isBusy, onVerify }: RunsTableProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const clock = useServerClock();
  const columns: Column<BackupRun>[] = [
    {
      key: 'when',
      header: t('BACKUPS.WHEN'),
      role: 'primary',
      cell: (run) => (
        <>
          <Time at={run.startedAt} formats={formats} now={clock.now} />
          <small className="muted breaks stack">
            {run.name ?? (run.state === 'done' ? t('BACKUPS.REMOVED') : reasonOf(run))}
          </small>
        </>
      ),
    },
    {
      key: 'state',
      header: t('BACKUPS.STATE'),
      role: 'beside',
      tight: true,
      cell: (run) => <StateTag run={run} />,
    },
    {
      key: 'size',
      header: t('BACKUPS.SIZE'),
      tight: true,
      narrow: 'labelled',
      cell: ({ bytes }) => (bytes === null ? '–' : sizeIn(formats.locale, bytes)),
    },
    {
      key: 'took',
      header: t('BACKUPS.TOOK'),
      tight: true,
      narrow: 'labelled',
      cell: ({ startedAt, endedAt }) =>
        endedAt === null ? '–' : waitIn(formats, Math.max(1_000, endedAt - startedAt)),
    },
    {
      key: 'verified',
      header: t('BACKUPS.VERIFIED'),
      narrow: 'labelled',
      cell: (run) => <Verified run={run} reason={reasonOf(run)} />,
    },
    {
      key: 'verify',
      header: t('BACKUPS.VERIFY'),
      headerHidden: true,
      tight: true,
      cell: (run) =>
        run.state === 'done' && run.name !== null ? (
          <Button small disabled={isBusy} onClick={() => onVerify(run)}>
            {t('BACKUPS.VERIFY')}
          </Button>
        ) : null,
    },
  ];
  function reasonOf({ reason, detail }: BackupRun): string {
    if (reason === null) return '';
    const words = t(`BACKUPS.REASONS.${catalogueKey(reason)}`);
    return detail === null || reason === 'interrupted' ? words : `${words} ${detail}`;
  }
  return <Table caption={t('BACKUPS.LAST')} columns={columns} rows={runs} rowKey={({ id }) => id} />;
}

type VerifiedProps = { run: BackupRun; reason: string };

/** The last result of a verification, or why it could not be made; faults that were found before stay. */
function Verified({ run: { state, reason: failed, verifiedAt, faults }, reason }: VerifiedProps) {
  const { t } = useTranslation();
  const [kind, words, lines] =
    state === 'done' && failed !== null
      ? (['medium', 'BACKUPS.NOT_VERIFIABLE', [...faults, reason]] as const)
      : faults.length > 0
        ? (['high', 'BACKUPS.DIFFERS', faults] as const)
        : (['ok', 'BACKUPS.RESTORABLE', faults] as const);
  if (verifiedAt === null && kind !== 'medium')
    return <span className="muted">{t('BACKUPS.NOT_VERIFIED')}</span>;
  return (
    <>
      <Tag kind={kind}>{t(words)}</Tag>
      {lines.map((line) => (
        <small key={line} className="muted breaks stack">
          {line}
        </small>
      ))}
    </>
  );
}

const stateLooks = { running: 'info', verifying: 'info', done: 'ok', failed: 'high' } as const;

function StateTag({ run: { state } }: { run: BackupRun }) {
  const { t } = useTranslation();
  return <Tag kind={stateLooks[state]}>{t(`BACKUPS.STATES.${catalogueKey(state)}`)}</Tag>;
}

/** A size as people read it. */
function sizeIn(locale: string, bytes: number): string {
  const [unit, by] = bytes < 1e9 ? (['megabyte', 1e6] as const) : (['gigabyte', 1e9] as const);
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }).format(bytes / by);
}

const words: ProblemWords<'folder' | 'time' | 'zone' | 'keep'> = {
  fields: {
    folder: {
      denied: 'BACKUPS.ERRORS.DENIED',
      folder: 'BACKUPS.ERRORS.MISSING',
      else: 'BACKUPS.ERRORS.FOLDER',
    },
    time: 'BACKUPS.ERRORS.TIME',
    zone: 'BACKUPS.ERRORS.ZONE',
    keep: 'BACKUPS.ERRORS.KEEP',
  },
};

function PlanForm({ backups }: { backups: Backups }) {
  const { t } = useTranslation();
  const api = useApi();
  const { timeZone: own } = useFormats();
  const now = useServerClock().now();
  const { settings, fixed, encrypted, version } = backups;
  const form = useSettingsForm({
    saved: {
      values: { ...settings, folder: settings.folder ?? '', keep: String(settings.keep) },
      version,
    },
    save: ({ folder, keep, ...values }, opened) =>
      api.call(setBackups, {
        body: {
          ...values,
          folder: folder.trim() === '' ? null : folder,
          keep: Number(keep),
          version: opened,
        },
      }),
    queryKey: backupsKey,
    notice: { key: 'backups', title: t('BACKUPS.SAVED') },
  });
  const [dropping, setDropping] = useState(false);
  const problems = problemsOf(t, form.error, words);
  const { folder, zone, keep } = form.values;
  const isFixed = (name: (typeof fixed)[number]): boolean => fixed.includes(name);
  const hint = (name: (typeof fixed)[number], text: string): string =>
    isFixed(name) ? t('BACKUPS.FIXED', { variable: variables[name] }) : text;
  const removesSome = Number(keep) < settings.keep && backups.runs.some(({ name }) => name !== null);
  return (
    <>
      <SettingsForm
        form={form}
        problems={problems}
        onSubmit={() => (removesSome ? setDropping(true) : form.save())}
      >
        <TextField
          label={t('BACKUPS.FOLDER')}
          hint={hint('folder', t('BACKUPS.FOLDER_HINT'))}
          error={problems.folder}
          autoComplete="off"
          spellCheck={false}
          maxLength={1_000}
          disabled={isFixed('folder')}
          {...form.field('folder')}
        />
        <div className="field-row">
          <TextField
            label={t('BACKUPS.TIME')}
            hint={hint('time', t('BACKUPS.TIME_HINT'))}
            error={problems.time}
            type="time"
            disabled={isFixed('time')}
            {...form.field('time')}
          />
          {isFixed('zone') ? (
            <TextField
              label={t('BACKUPS.ZONE')}
              hint={hint('zone', '')}
              disabled
              value={zone}
              onValue={() => undefined}
            />
          ) : (
            <ZoneField
              label={t('BACKUPS.ZONE')}
              hint={zone === 'UTC' ? '' : offsetName(minutesEastOfUtc(zone, now))}
              error={problems.zone}
              value={zone}
              first={[{ key: own, label: own.replaceAll('_', ' '), zone: own }]}
              now={now}
              onValue={(value) => form.set({ zone: value })}
            />
          )}
        </div>
        <TextField
          label={t('BACKUPS.KEEP')}
          hint={hint('keep', t('BACKUPS.KEEP_HINT'))}
          error={problems.keep}
          inputMode="numeric"
          maxLength={4}
          disabled={isFixed('keep')}
          {...form.field('keep')}
        />
        <Checkbox
          label={t('BACKUPS.WEEKLY')}
          hint={hint('verifyWeekly', t('BACKUPS.WEEKLY_HINT'))}
          disabled={isFixed('verifyWeekly')}
          {...form.check('verifyWeekly')}
        />
        {folder === '' ? null : (
          <Notice severity={encrypted ? 'info' : 'medium'}>
            {t(encrypted ? 'BACKUPS.ENCRYPTED' : 'BACKUPS.NOT_ENCRYPTED')}
          </Notice>
        )}
      </SettingsForm>
      {dropping ? (
        <ConfirmAction
          title={t('BACKUPS.KEEP_QUESTION', { count: Number(keep) })}
          confirmLabel={t('EDITING.SAVE')}
          action={() => Promise.resolve(form.save())}
          problem={(error) => problemText(t, error)}
          onCancel={() => setDropping(false)}
        >
          <p>{t('BACKUPS.KEEP_EFFECT')}</p>
        </ConfirmAction>
      ) : null}
    </>
  );
}

const variables = {
  folder: 'BACKUP_FOLDER',
  time: 'BACKUP_TIME',
  zone: 'BACKUP_ZONE',
  keep: 'BACKUP_KEEP',
  verifyWeekly: 'BACKUP_VERIFY_WEEKLY',
} as const;

import { getReportForm, type ReportForm } from '#features/feedback/contract/feedback.ts';
import { setReportForm } from '#features/feedback/contract/inbox.ts';
import { useTranslation } from 'react-i18next';
import { SettingsForm, SettingsSection, useSettingsForm } from '#features/settings/web/settings-form.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { Checkbox } from '#web/ui/text-input.tsx';
import { RetentionSection } from '#features/erasure/web/retention-section.tsx';
import {
  getReportSettings,
  type IssueTracker,
  mostNotified,
  type ReportSettings,
  setReportSettings,
} from '#features/feedback/contract/report-settings.ts';
import { problemsOf, type ProblemWords } from '#web/platform/forms/problems-of.ts';
import { SelectField, TextAreaField, TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { trackerKey } from './new-issue.tsx';
import './inbox.css';
import '#web/ui/screen.css';

/** Required fields of the report form, mail addresses, issue tracker, and retention of reports. */
export function ReportSettingsScreen() {
  const { t } = useTranslation();
  return (
    <div className="stack gap-6">
      <ScreenHead title={t('REPORTS.TITLE')} lead={t('SETTINGS.REPORTS')} />
      <ReportFormSettings />
      <ReportNoticesSettings />
      <RetentionSection />
    </div>
  );
}

const reportFormKey = ['report-form'] as const;

/** The fields that the report form requires besides the description (BUG-2). */
function ReportFormSettings() {
  const { t } = useTranslation();
  const settings = useQuery({
    ...routeQuery(reportFormKey, getReportForm, {}),
    staleTime: 0,
  });
  return (
    <SettingsSection
      id="report-form-settings"
      title={t('REPORTS.FORM.TITLE')}
      lead={t('REPORTS.FORM.LEAD')}
      settings={settings}
      history="report-form"
    >
      {(reportForm) => <RequiredForm reportForm={reportForm} />}
    </SettingsSection>
  );
}

function RequiredForm({ reportForm }: { reportForm: ReportForm }) {
  const { t } = useTranslation();
  const api = useApi();
  const { nameRequired, emailRequired, version: opened } = reportForm;
  const form = useSettingsForm({
    saved: { values: { nameRequired, emailRequired }, version: opened },
    save: (values, version) => api.call(setReportForm, { body: { ...values, version } }),
    queryKey: reportFormKey,
    notice: { key: 'report-form', title: t('REPORTS.FORM.SAVED') },
  });
  return (
    <SettingsForm form={form}>
      <Checkbox label={t('REPORTS.FORM.EMAIL')} {...form.check('emailRequired')} />
      <Checkbox label={t('REPORTS.FORM.NAME')} {...form.check('nameRequired')} />
      <p className="muted">{t('REPORTS.FORM.HINT')}</p>
    </SettingsForm>
  );
}

const settingsKey = ['report-settings'] as const;

/** The addresses that receive mail about reports, and the issue tracker (BUG-8). */
function ReportNoticesSettings() {
  const { t } = useTranslation();
  const settings = useQuery({
    ...routeQuery(settingsKey, getReportSettings, {}),
    staleTime: 0,
  });
  return (
    <SettingsSection
      id="report-notices-settings"
      title={t('REPORTS.NOTICES.TITLE')}
      lead={t('REPORTS.NOTICES.LEAD')}
      history="report-settings"
      divided
      settings={settings}
    >
      {(loaded) => <NoticesForm settings={loaded} />}
    </SettingsSection>
  );
}

type Kind = IssueTracker['kind'] | '';
type Draft = {
  notified: string;
  language: ReportSettings['language'];
  kind: Kind;
  address: string;
  project: string;
  issueType: string;
};

const languages = { en: 'English', de: 'Deutsch', fr: 'Français' } as const;

function draftOf({ notified, language, tracker }: ReportSettings): Draft {
  const { project, issueType } = tracker?.kind === 'jira' ? tracker : { project: '', issueType: '' };
  const [kind, address] = tracker === null ? (['', ''] as const) : [tracker.kind, tracker.address];
  return { notified: notified.join('\n'), language, kind, address, project, issueType };
}

/** The addresses that are typed, one a line or separated by commas. */
function addressesIn(text: string): string[] {
  return text
    .split(/[\s,;]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function trackerOf({ kind, address, project, issueType }: Draft): IssueTracker | null {
  if (kind === '') return null;
  const at = address.trim();
  return kind === 'jira'
    ? { kind, address: at, project: project.trim(), issueType: issueType.trim() }
    : { kind, address: at };
}

const words: ProblemWords<'notified' | 'tracker'> = {
  fields: {
    notified: 'REPORTS.NOTICES.ADDRESSES_REFUSED',
    tracker: (t, _problem, below) =>
      t(below === '/address' ? 'REPORTS.TRACKER.ADDRESS_REFUSED' : 'REPORTS.TRACKER.NUMBER_REFUSED'),
  },
};

function NoticesForm({ settings }: { settings: ReportSettings }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const form = useSettingsForm({
    saved: { values: draftOf(settings), version: settings.version },
    save: (draft, version) =>
      api.call(setReportSettings, {
        body: {
          notified: addressesIn(draft.notified),
          language: draft.language,
          tracker: trackerOf(draft),
          version,
        },
      }),
    queryKey: settingsKey,
    notice: { key: 'report-notices', title: t('REPORTS.FORM.SAVED') },
    onSaved: () => void queries.invalidateQueries({ queryKey: trackerKey }),
  });
  const { values } = form;
  const problems = problemsOf(t, form.error, words, form.edited);
  return (
    <SettingsForm form={form} problems={problems}>
      {settings.mail ? null : <Notice severity="medium">{t('REPORTS.NOTICES.NO_MAIL')}</Notice>}
      <TextAreaField
        label={t('REPORTS.NOTICES.ADDRESSES')}
        hint={t('REPORTS.NOTICES.ADDRESSES_HINT', { most: mostNotified })}
        error={problems.notified}
        rows={3}
        spellCheck={false}
        {...form.field('notified')}
      />
      <SelectField
        label={t('REPORTS.NOTICES.LANGUAGE')}
        hint={t('REPORTS.NOTICES.LANGUAGE_HINT')}
        {...form.field('language')}
        options={(Object.keys(languages) as (keyof typeof languages)[]).map((value) => ({
          value,
          label: languages[value],
        }))}
      />
      <SelectField
        label={t('REPORTS.TRACKER.TITLE')}
        hint={t('REPORTS.TRACKER.HINT')}
        {...form.field('kind')}
        options={[
          { value: '', label: t('REPORTS.TRACKER.NONE') },
          { value: 'github', label: 'GitHub' },
          { value: 'gitlab', label: 'GitLab' },
          { value: 'jira', label: 'Jira' },
        ]}
      />
      {values.kind === '' ? null : (
        <TextField
          label={t('REPORTS.TRACKER.ADDRESS')}
          hint={t('REPORTS.TRACKER.ADDRESS_HINT', { example: examples[values.kind] })}
          error={problems.tracker}
          type="url"
          maxLength={500}
          {...form.field('address')}
        />
      )}
      {values.kind === 'jira' ? (
        <div className="field-row">
          <TextField
            label={t('REPORTS.TRACKER.PROJECT')}
            hint="pid"
            inputMode="numeric"
            maxLength={18}
            {...form.field('project')}
          />
          <TextField
            label={t('REPORTS.TRACKER.ISSUE_TYPE')}
            hint="issuetype"
            inputMode="numeric"
            maxLength={18}
            {...form.field('issueType')}
          />
        </div>
      ) : null}
    </SettingsForm>
  );
}

const examples = {
  github: 'https://github.com/owner/name',
  gitlab: 'https://gitlab.com/group/name',
  jira: 'https://name.atlassian.net',
} as const;

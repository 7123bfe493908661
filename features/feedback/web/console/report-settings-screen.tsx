import { getReportForm, type ReportForm } from '#features/feedback/contract/feedback.ts';
import { setReportForm } from '#features/feedback/contract/inbox.ts';
import { useTranslation } from 'react-i18next';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';
import { retryProps } from '#web/platform/calls/retry-props.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { SettingsForm, SettingsSection } from '#web/ui/settings-form.tsx';
import { Checkbox } from '#web/ui/text-input.tsx';
import { RetentionSection } from '#features/erasure/web/retention-section.tsx';
import { ReportNoticesSettings } from './report-notices-settings.tsx';
import './inbox.css';
import '#web/ui/screen.css';

/** Required fields of the report form, mail addresses, issue tracker, and retention of reports. */
export function ReportSettingsScreen() {
  const { t } = useTranslation();
  return (
    <div className="person-data stack gap-4">
      <ScreenHead title={t('REPORTS.TITLE')} lead={t('SETTINGS.REPORTS')} />
      <ReportFormSettings />
      <ReportNoticesSettings />
      <RetentionSection />
    </div>
  );
}

const reportFormKey = ['report-form'] as const;

function reportFormQuery(api: Api) {
  return queryOptions({
    queryKey: reportFormKey,
    queryFn: ({ signal }) => api.call(getReportForm, {}, { signal }),
    staleTime: 0,
  });
}

/** What the report form asks for besides the description (BUG-2). */
function ReportFormSettings() {
  const { t } = useTranslation();
  const settings = useQuery(reportFormQuery(useApi()));
  return (
    <SettingsSection
      id="report-form-settings"
      title={t('REPORTS.FORM.TITLE')}
      lead={t('REPORTS.FORM.LEAD')}
      settings={settings}
      failed={{
        title: t('REPORTS.FORM.FAILED'),
        text: t('REPORTS.REPORT.FAILED.TEXT'),
        ...retryProps(t, settings),
      }}
    >
      {(reportForm) => (
        <>
          <RequiredForm reportForm={reportForm} />
          <HistoryLink subject="report-form" />
        </>
      )}
    </SettingsSection>
  );
}

function RequiredForm({ reportForm }: { reportForm: ReportForm }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const { nameRequired, emailRequired, version: opened } = reportForm;
  const form = useVersionedForm({
    saved: { values: { nameRequired, emailRequired }, version: opened },
    save: (values, version) => api.call(setReportForm, { body: { ...values, version } }),
    onSaved(saved) {
      queries.setQueryData(reportFormKey, saved);
      notify({ kind: 'success', key: 'report-form', title: t('REPORTS.FORM.SAVED') });
    },
    reload: reportFormKey,
    follows: true,
  });
  return (
    <SettingsForm
      className="stack"
      busy={form.busy}
      typed={form.typed}
      problem={problemsOf(t, form.error, { fields: {} }).general}
      action={t('REPORTS.FORM.SAVE')}
      onSubmit={form.save}
    >
      <Checkbox
        label={t('REPORTS.FORM.EMAIL')}
        checked={form.values.emailRequired}
        onChecked={(checked) => form.set({ emailRequired: checked })}
      />
      <Checkbox
        label={t('REPORTS.FORM.NAME')}
        checked={form.values.nameRequired}
        onChecked={(checked) => form.set({ nameRequired: checked })}
      />
      <p className="muted">{t('REPORTS.FORM.HINT')}</p>
    </SettingsForm>
  );
}

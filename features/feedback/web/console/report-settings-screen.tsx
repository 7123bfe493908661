import { getReportForm, type ReportForm } from '#features/feedback/contract/feedback.ts';
import { setReportForm } from '#features/feedback/contract/inbox.ts';
import { useTranslation } from 'react-i18next';
import { SettingsForm, SettingsSection, useSettingsForm } from '#features/settings/web/settings-form.tsx';
import { useQuery } from '@tanstack/react-query';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
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

/** What the report form asks for besides the description (BUG-2). */
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
      failed={{ title: t('REPORTS.FORM.FAILED'), text: t('REPORTS.REPORT.FAILED.TEXT') }}
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
    <SettingsForm className="stack" form={form} action={t('REPORTS.FORM.SAVE')}>
      <Checkbox label={t('REPORTS.FORM.EMAIL')} {...form.check('emailRequired')} />
      <Checkbox label={t('REPORTS.FORM.NAME')} {...form.check('nameRequired')} />
      <p className="muted">{t('REPORTS.FORM.HINT')}</p>
    </SettingsForm>
  );
}

import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Feedback } from '../features/feedback/feedback.ts';
import { feedbackLabels } from '../features/feedback/labels.ts';
import { ReportDialog } from '../features/feedback/report-dialog.tsx';
import { useFormats } from '../platform/i18n/formats-context.tsx';

/** The report dialog in the language of the page. */
export function LateReportDialog({ feedback }: { feedback: Feedback }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const labels = useMemo(() => feedbackLabels((key, values) => t(key, values ?? {}), formats), [t, formats]);
  return <ReportDialog feedback={feedback} labels={labels} />;
}

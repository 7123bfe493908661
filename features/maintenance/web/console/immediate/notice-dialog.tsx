import { severities, type Severity } from '#features/maintenance/contract/maintenance.ts';
import type { MaintenanceSettings } from '#features/maintenance/contract/settings.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Notice, type NoticeSeverity } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { SeverityField } from '../plan/plan-fields.tsx';
import { LanguageText, useOwnLanguage } from '../plan/text-fields.tsx';
import { firstOf, type TypedText, typedNotice } from '../plan/written-texts.ts';
import { settingWords, useSettingForm } from './setting.ts';

const looks: Record<Severity, NoticeSeverity> = { HIGH: 'high', MEDIUM: 'medium', INFO: 'info' };

type NoticeDraft = { typed: TypedText; severity: Severity };

type NoticeDialogProps = { settings: MaintenanceSettings; onClose: () => void };

/** The banner above every page: its severity and text, with a preview. */
export function NoticeDialog({ settings, onClose }: NoticeDialogProps) {
  const { t } = useTranslation();
  const own = useOwnLanguage();
  const [language, setLanguage] = useState(own);
  const [isEmpty, setIsEmpty] = useState(false);
  const form = useSettingForm<NoticeDraft>({
    settings,
    values: {
      typed: typedNotice(settings, own),
      severity: settings.text === '' ? 'MEDIUM' : settings.severity,
    },
    storedAs: 'maintenance-notice',
    isKnown: ({ severity }) => severities.includes(severity),
    sent: ({ severity }) => ({ severity }),
    onSaved() {
      notify({ kind: 'success', title: t('MAINTENANCE.CONSOLE.NOTICE.PUBLISHED') });
      onClose();
    },
  });
  const { typed, severity } = form.values;
  const text = firstOf(typed);
  const shown = typed[language].trim() || text;
  const problems = problemsOf(t, form.error, settingWords, form.edited);
  return (
    <FormDialog
      title={t(
        settings.text === '' ? 'MAINTENANCE.CONSOLE.NOTICE.OPEN' : 'MAINTENANCE.CONSOLE.NOTICE.CHANGE',
      )}
      form={form}
      problem={problems.general ?? problems.expectedEnd}
      action={t('MAINTENANCE.CONSOLE.NOTICE.PUBLISH')}
      conflict={{
        keepMine: t('MAINTENANCE.CONSOLE.PLAN.KEEP_MINE'),
        takeTheirs: t('MAINTENANCE.CONSOLE.PLAN.TAKE_THEIRS'),
      }}
      onSubmit={() => {
        setIsEmpty(text === '');
        if (text !== '') form.save();
      }}
      onClose={onClose}
    >
      <p className="muted">{t('MAINTENANCE.CONSOLE.NOTICE.LEAD')}</p>
      <LanguageText
        label={t('MAINTENANCE.CONSOLE.NOTICE.TEXT')}
        hint={t('MAINTENANCE.CONSOLE.NOTICE.TEXT_HINT')}
        error={isEmpty && text === '' ? t('MAINTENANCE.CONSOLE.NOTICE.NO_TEXT') : problems.text}
        required
        first
        typed={typed}
        language={language}
        onLanguage={setLanguage}
        onTyped={(next) => form.set({ typed: next })}
      />
      <SeverityField severity={severity} onSeverity={(chosen) => form.set({ severity: chosen })} />
      {shown === '' ? null : (
        <div className="maintenance-preview stack gap-2">
          <h3>{t('MAINTENANCE.CONSOLE.NOTICE.PREVIEW')}</h3>
          <Notice severity={looks[severity]} severityLabel={t(`MAINTENANCE.CONSOLE.SEVERITIES.${severity}`)}>
            {shown}
          </Notice>
        </div>
      )}
    </FormDialog>
  );
}

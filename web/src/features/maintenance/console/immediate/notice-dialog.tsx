import { severities, type Severity } from '@portico/contract/maintenance';
import type { MaintenanceSettings } from '@portico/contract/maintenance/settings';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemsOf } from '../../../../platform/forms/problems-of.ts';
import { useVersionedForm } from '../../../../platform/forms/versioned-form.ts';
import { Field } from '../../../../ui/field.tsx';
import { FormDialog } from '../../../../ui/form-dialog.tsx';
import { Notice, type NoticeSeverity } from '../../../../ui/notice.tsx';
import { notify } from '../../../../ui/notifications/notifications.ts';
import { Select, TextArea } from '../../../../ui/text-input.tsx';
import { maintenanceKey } from '../maintenance-key.ts';
import { longestText } from '../plan/plan-form.ts';
import { settingWords } from './setting-problem.ts';
import { settingOf, useSendSetting } from './use-set-maintenance.ts';

export const looks: Record<Severity, NoticeSeverity> = { HIGH: 'high', MEDIUM: 'medium', INFO: 'info' };

type NoticeDialogProps = { settings: MaintenanceSettings; onClose: () => void };

/** The banner above every page: its severity and text, with a preview. */
export function NoticeDialog({ settings, onClose }: NoticeDialogProps) {
  const { t } = useTranslation();
  const send = useSendSetting();
  const [isEmpty, setIsEmpty] = useState(false);
  const form = useVersionedForm({
    saved: { values: draftOf(settings), version: settings.version },
    storedAs: 'maintenance-notice',
    readStored: (values) => (severities.includes(values.severity) ? values : null),
    leaving: { counted: false },
    save: ({ severity, text }, version) =>
      send({ ...settingOf(settings), severity, text: text.trim(), version }),
    onSaved() {
      notify({ kind: 'success', title: t('MAINTENANCE.CONSOLE.NOTICE.PUBLISHED') });
      onClose();
    },
    reload: maintenanceKey,
  });
  const { text, severity } = form.values;
  const trimmed = text.trim();
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
        setIsEmpty(trimmed === '');
        if (trimmed !== '') form.save();
      }}
      onClose={onClose}
    >
      <p className="muted">{t('MAINTENANCE.CONSOLE.NOTICE.LEAD')}</p>
      <Field
        label={t('MAINTENANCE.CONSOLE.NOTICE.TEXT')}
        hint={t('MAINTENANCE.CONSOLE.NOTICE.TEXT_HINT')}
        error={isEmpty && trimmed === '' ? t('MAINTENANCE.CONSOLE.NOTICE.NO_TEXT') : problems.text}
        required
        requiredMark={t('COMMON.REQUIRED')}
      >
        {(control) => (
          <TextArea
            {...control}
            rows={3}
            maxLength={longestText}
            value={text}
            onValue={(typed) => form.set({ text: typed })}
          />
        )}
      </Field>
      <Field label={t('MAINTENANCE.CONSOLE.NOTICE.SEVERITY')}>
        {(control) => (
          <Select
            {...control}
            value={severity}
            onValue={(chosen) => form.set({ severity: chosen })}
            options={severities.map((value) => ({
              value,
              label: t(`MAINTENANCE.CONSOLE.SEVERITIES.${value}`),
            }))}
          />
        )}
      </Field>
      {trimmed === '' ? null : (
        <div className="maintenance-preview">
          <h3>{t('MAINTENANCE.CONSOLE.NOTICE.PREVIEW')}</h3>
          <Notice severity={looks[severity]} severityLabel={t(`MAINTENANCE.CONSOLE.SEVERITIES.${severity}`)}>
            {trimmed}
          </Notice>
        </div>
      )}
    </FormDialog>
  );
}

type NoticeDraft = { severity: Severity; text: string };

function draftOf({ text, severity }: MaintenanceSettings): NoticeDraft {
  return { text, severity: text === '' ? 'MEDIUM' : severity };
}

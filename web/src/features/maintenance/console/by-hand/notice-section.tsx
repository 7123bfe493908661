import { severities, type Severity } from '@portico/contract/maintenance';
import { type MaintenanceSettings } from '@portico/contract/maintenance/settings';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUnsavedWork } from '../../../../platform/forms/unsaved-work.ts';
import { Button } from '../../../../ui/button.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Notice, type NoticeSeverity } from '../../../../ui/notice.tsx';
import { notify } from '../../../../ui/notifications/notifications.ts';
import { Select, TextArea } from '../../../../ui/text-input.tsx';
import { SettingProblem } from './setting-problem.tsx';
import { useSetMaintenance } from './use-set-maintenance.ts';

const looks: Record<Severity, NoticeSeverity> = { HIGH: 'high', MEDIUM: 'medium', INFO: 'info' };

/** The banner for every person: its text and severity, with a preview. */
export function NoticeSection({ settings }: { settings: MaintenanceSettings }) {
  const { t } = useTranslation();
  const [known, setKnown] = useState(settings);
  const [text, setText] = useState(settings.text);
  const [severity, setSeverity] = useState<Severity>(settings.severity);
  const publish = useSetMaintenance((saved) => {
    setText(saved.text);
    notify({
      kind: 'success',
      title: t(
        saved.text === '' ? 'MAINTENANCE.CONSOLE.NOTICE.REMOVED' : 'MAINTENANCE.CONSOLE.NOTICE.PUBLISHED',
      ),
    });
  });
  const trimmed = text.trim();
  const isChanged = (from: MaintenanceSettings) =>
    trimmed !== from.text || (trimmed !== '' && severity !== from.severity);
  if (known.version !== settings.version) {
    // Changed by another operator: shown unless it was touched here.
    setKnown(settings);
    if (!isChanged(known)) {
      setText(settings.text);
      setSeverity(settings.severity);
    }
  }
  const changed = isChanged(settings);
  useUnsavedWork(changed, { counted: false });

  function save(next: string): void {
    publish.mutate({ ...settings, text: next, severity });
  }

  return (
    <form
      className="section"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (changed && !publish.isPending) save(trimmed);
      }}
    >
      <div>
        <h3>{t('MAINTENANCE.CONSOLE.NOTICE.TITLE')}</h3>
        <p className="muted">{t('MAINTENANCE.CONSOLE.NOTICE.LEAD')}</p>
      </div>
      <Field label={t('MAINTENANCE.CONSOLE.NOTICE.SEVERITY')}>
        {(control) => (
          <Select
            {...control}
            value={severity}
            onValue={setSeverity}
            options={severities.map((value) => ({
              value,
              label: t(`MAINTENANCE.CONSOLE.SEVERITIES.${value}`),
            }))}
          />
        )}
      </Field>
      <Field label={t('MAINTENANCE.CONSOLE.NOTICE.TEXT')} hint={t('MAINTENANCE.CONSOLE.NOTICE.TEXT_HINT')}>
        {(control) => <TextArea {...control} rows={3} maxLength={2000} value={text} onValue={setText} />}
      </Field>
      <div className="maintenance-preview">
        <h4>{t('MAINTENANCE.CONSOLE.NOTICE.PREVIEW')}</h4>
        {trimmed === '' ? (
          <p className="muted">{t('MAINTENANCE.CONSOLE.NOTICE.NO_TEXT')}</p>
        ) : (
          <Notice severity={looks[severity]} severityLabel={t(`MAINTENANCE.CONSOLE.SEVERITIES.${severity}`)}>
            {trimmed}
          </Notice>
        )}
      </div>
      <SettingProblem error={publish.error} />
      <div className="button-row">
        <Button tone="primary" type="submit" disabled={!changed} busy={publish.isPending}>
          {t('MAINTENANCE.CONSOLE.NOTICE.PUBLISH')}
        </Button>
        {settings.text === '' ? null : (
          <Button tone="quiet" disabled={publish.isPending} onClick={() => save('')}>
            {t('MAINTENANCE.CONSOLE.NOTICE.REMOVE')}
          </Button>
        )}
      </div>
    </form>
  );
}

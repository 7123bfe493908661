import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { spanWords } from '../windows/window-times.ts';
import { LeadField } from './lead-field.tsx';
import { leadOf, spanOf, withEnd, withStart, type WindowForm } from './plan-form.ts';
import { overlapInWords, type PlanProblems } from './plan-words.ts';
import { WallTimeField } from './wall-time-field.tsx';
import { ZoneField } from './zone-field.tsx';

export type PlanTimesProps = {
  form: WindowForm;
  onForm: (form: WindowForm) => void;
  problems: PlanProblems;
  /** A window that overlaps with this one. */
  overlapping: MaintenanceWindow | null;
  now: number;
  /** The window has started: its start and its lead time cannot be changed. */
  started: boolean;
};

/** Start, end, time zone and lead time of a window. */
export function PlanTimes({ form, onForm, problems, overlapping, now, started }: PlanTimesProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { startsAt, endsAt } = spanOf(form);
  const overlap =
    overlapping === null
      ? undefined
      : overlapInWords(t, overlapping, spanWords(formats, overlapping.startsAt, overlapping.endsAt));
  return (
    <>
      <div className="field-row">
        <WallTimeField
          label={t('MAINTENANCE.CONSOLE.PLAN.START')}
          entry={form.start}
          timeZone={form.timeZone}
          now={now}
          error={problems.start ?? overlap}
          disabled={started}
          onEntry={(start) => onForm(withStart(form, start))}
        />
        <WallTimeField
          label={t('MAINTENANCE.CONSOLE.PLAN.END')}
          entry={form.end}
          timeZone={form.timeZone}
          now={now}
          error={problems.end}
          note={
            form.endBy !== 'start' || startsAt === null || endsAt === null
              ? null
              : t('MAINTENANCE.CONSOLE.PLAN.END_FOLLOWS', { duration: formats.duration(endsAt - startsAt) })
          }
          onEntry={(end) => onForm(withEnd(form, end))}
        />
      </div>
      {started ? <p className="muted">{t('MAINTENANCE.CONSOLE.PLAN.STARTED')}</p> : null}
      <ZoneField
        value={form.timeZone}
        now={now}
        error={problems.timeZone}
        onValue={(timeZone) =>
          onForm({
            ...form,
            timeZone,
            start: { ...form.start, offset: null },
            end: { ...form.end, offset: null },
          })
        }
      />
      <LeadField
        value={form.lead}
        minutes={leadOf(form)}
        startsAt={startsAt}
        now={now}
        error={problems.lead}
        disabled={started}
        onValue={(lead) => onForm({ ...form, lead })}
      />
    </>
  );
}

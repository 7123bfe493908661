import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, LeaveButton } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { entryAt, resolveEntry } from '../plan/wall-entry.ts';
import { leadInWords } from '../plan/lead-field.tsx';
import { WallTimeField } from '../plan/wall-time-field.tsx';
import { ConnectedPeople } from '../connected-people.tsx';
import { useServerNow } from '../use-server-now.ts';
import { stepWords } from './step-words.ts';
import { useWindowStep } from './use-window-step.ts';
import { timeInBothZones, shortTime, withUtc } from './window-times.ts';

const minute = 60_000;
const usual = [15, 30, 60] as const;

/**
 * Gives a window a later end: by a duration, or until a time. For an overdue window a duration counts from
 * now.
 */
export function ExtendDialog({ window, onClose }: { window: MaintenanceWindow; onClose: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useServerNow();
  const take = useWindowStep(window, (saved) => {
    notify({
      kind: 'success',
      title: t('MAINTENANCE.CONSOLE.EXTEND.DONE', { time: shortTime(formats, saved.endsAt, now) }),
    });
    onClose();
  });
  const [choice, setChoice] = useState<(typeof usual)[number] | 'until'>(30);
  const from = Math.max(window.endsAt, Math.ceil(now / minute) * minute);
  const [until, setUntil] = useState(() => entryAt(from + 30 * minute, formats.timeZone));
  const [typed, setTyped] = useState(false);
  const [tried, setTried] = useState(false);
  const resolved = resolveEntry(until, formats.timeZone);
  const asked = resolved.kind === 'one' ? resolved.at : null;
  const endsAt = choice === 'until' ? asked : from + choice * minute;
  const tooEarly = endsAt !== null && endsAt <= Math.max(window.endsAt, now);

  function untilProblem(): string | undefined {
    if (!tried) return undefined;
    if (resolved.kind === 'skipped') return t('MAINTENANCE.CONSOLE.WRONG.TIME_SKIPPED');
    if (resolved.kind === 'doubled') return t('MAINTENANCE.CONSOLE.WRONG.TIME_DOUBLED');
    if (asked === null) return t('MAINTENANCE.CONSOLE.WRONG.TIME_REQUIRED');
    return tooEarly ? t('MAINTENANCE.CONSOLE.EXTEND.NOT_LATER') : undefined;
  }

  return (
    <Dialog
      open
      title={t('MAINTENANCE.CONSOLE.EXTEND.QUESTION', { title: window.title })}
      closeLabel={t('COMMON.CLOSE')}
      busy={take.isPending}
      onClose={onClose}
      typed={choice === 'until' && typed}
      onSubmit={() => {
        setTried(true);
        if (endsAt === null || tooEarly) return;
        take.mutate({ step: 'extend', endsAt });
      }}
      footer={
        <>
          <LeaveButton tone="quiet">{t('COMMON.CANCEL')}</LeaveButton>
          <Button tone="primary" type="submit" busy={take.isPending}>
            {endsAt === null
              ? t('MAINTENANCE.CONSOLE.EXTEND.ACTION')
              : t('MAINTENANCE.CONSOLE.EXTEND.ACTION_UNTIL', { time: shortTime(formats, endsAt, now) })}
          </Button>
        </>
      }
    >
      <p>
        <ConnectedPeople />
      </p>
      <fieldset className="choice">
        <legend>{t('MAINTENANCE.CONSOLE.EXTEND.BY')}</legend>
        {usual.map((minutes) => (
          <label key={minutes} className="check">
            <input
              type="radio"
              name="extend"
              checked={choice === minutes}
              onChange={() => setChoice(minutes)}
            />
            <span>{leadInWords(formats.locale, minutes)}</span>
            <span className="check-hint">
              {t('MAINTENANCE.CONSOLE.EXTEND.UNTIL_TIME', {
                time: withUtc(t, timeInBothZones(formats, from + minutes * minute, now)),
              })}
            </span>
          </label>
        ))}
        <label className="check">
          <input
            type="radio"
            name="extend"
            checked={choice === 'until'}
            onChange={() => setChoice('until')}
          />
          <span>{t('MAINTENANCE.CONSOLE.EXTEND.UNTIL')}</span>
        </label>
      </fieldset>
      {choice === 'until' ? (
        <WallTimeField
          label={t('MAINTENANCE.CONSOLE.EXTEND.NEW_END')}
          entry={until}
          timeZone={formats.timeZone}
          now={now}
          error={untilProblem()}
          onEntry={(entry) => {
            setUntil(entry);
            setTyped(true);
            setTried(false);
          }}
        />
      ) : null}
      <p className="muted">{t('MAINTENANCE.CONSOLE.EXTEND.EFFECT')}</p>
      {take.error === null ? null : (
        <Notice severity="high" role="alert">
          {problemsOf(t, take.error, stepWords).general}
        </Notice>
      )}
    </Dialog>
  );
}

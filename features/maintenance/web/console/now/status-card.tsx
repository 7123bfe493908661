import type { MaintenanceMode } from '#features/maintenance/contract/maintenance.ts';
import type { MaintenanceSettings } from '#features/maintenance/contract/settings.ts';
import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { useTranslation } from 'react-i18next';
import { useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Tag, type TagKind } from '#web/ui/tag.tsx';
import { countdownText, useCountdown } from '../../countdown.ts';
import { shortTime, timeWords } from '../../time-words.ts';
import { useServerNow } from '#web/platform/time/use-now.ts';
import { isRunning, phaseAt } from '../windows/phase-at.ts';
import { withUtc } from '../windows/window-times.ts';

const icons: Record<MaintenanceMode, IconName> = { off: 'check-circle', 'read-only': 'lock', full: 'alert' };
const kinds: Record<MaintenanceMode, TagKind> = { off: 'ok', 'read-only': 'medium', full: 'high' };

/** The break-glass file in the data folder (MAINT-6). */
const heldOpenFile = 'maintenance-off';

type StatusCardProps = {
  settings: MaintenanceSettings;
  /** The window that matters now. */
  window: MaintenanceWindow | null;
};

/** The present state in a word, and the next change with its countdown. */
export function StatusCard({ settings, window }: StatusCardProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const clock = useServerClock();
  const now = useServerNow();
  const { mode, since } = settings.inForce;
  const isWindow = window !== null && isRunning(phaseAt(window, now));
  const because = () => {
    if (mode === 'off' || settings.heldOpen) return null;
    return isWindow
      ? t('MAINTENANCE.CONSOLE.BECAUSE.WINDOW', { title: window.title })
      : t('MAINTENANCE.CONSOLE.BECAUSE.HAND');
  };
  return (
    <section className="now panel stack gap-4 pad-4" aria-labelledby="maintenance-now" data-mode={mode}>
      {settings.heldOpen ? (
        <Notice severity="high" title={t('MAINTENANCE.CONSOLE.HELD_OPEN.TITLE')}>
          {t('MAINTENANCE.CONSOLE.HELD_OPEN.TEXT', { file: heldOpenFile })}
        </Notice>
      ) : null}
      <div className="current-head row wrap between top gap-3-6">
        <div className="row gap-3 top">
          <span className="now-icon">
            <Icon name={icons[mode]} size={24} />
          </span>
          <div>
            <h2 id="maintenance-now" className="heading">
              {t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(mode)}.NOW`)}
            </h2>
            <p className="muted">
              {[
                since === null
                  ? t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(mode)}.HINT`)
                  : `${t('MAINTENANCE.CONSOLE.SINCE')} ${shortTime(formats, since, clock.now())}`,
                because(),
              ]
                .filter((part) => part !== null)
                .join(' · ')}
            </p>
          </div>
        </div>
        <NextChange settings={settings} window={window} />
      </div>
    </section>
  );
}

/** The present state, or the next start, in a few words next to the title of the screen. */
export function StatusTag({ settings, window }: StatusCardProps) {
  const { t } = useTranslation();
  const now = useServerNow();
  const { mode } = settings.inForce;
  const change = changeOf(settings, window, now);
  const face = change === null || change.key === 'ENDS' ? null : countdownText(change.at - now);
  if (mode === 'off' && face !== null)
    return (
      <Tag kind="medium" icon="clock">
        {t('MAINTENANCE.CONSOLE.TURN.STARTS_IN', { left: face })}
      </Tag>
    );
  return (
    <Tag kind={kinds[mode]} icon={icons[mode]}>
      {t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(mode)}.NOW`)}
    </Tag>
  );
}

type Change = { at: number; key: 'BEGINS' | 'ENDS' };

/** The next change: the start, or the end. */
function NextChange({ settings, window }: StatusCardProps) {
  const { t } = useTranslation();
  const now = useServerNow();
  const change = changeOf(settings, window, now);
  const none = () => {
    if (settings.heldOpen) return t('MAINTENANCE.CONSOLE.TURN.HELD');
    if (settings.inForce.mode === 'off') return t('MAINTENANCE.CONSOLE.TURN.NOTHING');
    return t('MAINTENANCE.CONSOLE.TURN.NO_END');
  };
  return change === null ? <p className="muted">{none()}</p> : <Countdown change={change} />;
}

function changeOf(
  { inForce: { mode, expectedEnd }, source, heldOpen }: MaintenanceSettings,
  window: MaintenanceWindow | null,
  now: number,
): Change | null {
  if (mode !== 'off') return expectedEnd === null ? null : { at: expectedEnd, key: 'ENDS' };
  if (window === null || source === 'flag-host' || heldOpen) return null;
  const phase = phaseAt(window, now);
  if (phase === 'active') return { at: window.endsAt, key: 'ENDS' };
  return phase === 'imminent' || phase === 'scheduled' ? { at: window.startsAt, key: 'BEGINS' } : null;
}

/** The countdown as people see it. */
function Countdown({ change: { at, key } }: { change: Change }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { now, left } = useCountdown(at, useServerClock());
  const late = left <= 0 && key === 'ENDS';
  const face = countdownText(left);
  return (
    <div>
      <p className={late ? 'high prose' : 'prose'}>
        {late
          ? t('MAINTENANCE.CONSOLE.TURN.LATE')
          : t(`MAINTENANCE.CONSOLE.TURN.${key}${face === null ? '_FAR' : ''}`)}{' '}
        <strong className="now-figure nowrap" role="timer">
          {late ? formats.duration(-left) : (face ?? formats.relative(at, now))}
        </strong>
      </p>
      <p className="muted">{withUtc(t, timeWords(formats, at, now))}</p>
    </div>
  );
}

import type { MaintenanceMode } from '@portico/contract/maintenance';
import type { MaintenanceSettings } from '@portico/contract/maintenance/settings';
import type { MaintenanceWindow } from '@portico/contract/maintenance/windows';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Presence } from '@portico/contract/presence';
import { useTranslation } from 'react-i18next';
import { useServerClock } from '../../../platform/contexts.tsx';
import { catalogueKey } from '../../../platform/i18n/catalogue-key.ts';
import { useFormats } from '../../../platform/i18n/formats-context.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { clockFace } from '../countdown.ts';
import { useCountdown } from '../use-countdown.ts';
import { EndNow } from './end-now.tsx';
import { presenceInWords } from './presence-words.ts';
import { useServerNow } from './use-server-now.ts';
import { whatPeopleSee } from './what-people-see.ts';
import { isRunning, phaseAt } from './windows/phase-at.ts';
import { timeInBothZones, shortTime, withUtc } from './windows/window-times.ts';

const icons: Record<MaintenanceMode, IconName> = { off: 'check-circle', 'read-only': 'lock', full: 'alert' };

/** In the data folder (MAINT-6). */
const heldOpenFile = 'maintenance-off';

type NowPanelProps = {
  settings: MaintenanceSettings;
  /** The window that matters now. */
  window: MaintenanceWindow | null;
  presence: UseQueryResult<Presence>;
};

/** The present state: open or not, what is next, who is working, and what people see. */
export function NowPanel({ settings, window, presence }: NowPanelProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const clock = useServerClock();
  const { mode, since } = settings.inForce;
  const now = useServerNow();
  const goesOn =
    window !== null && window.mode !== 'announce' && isRunning(phaseAt(window, now)) ? window : null;
  return (
    <section className="now" aria-labelledby="maintenance-now" data-mode={mode}>
      {settings.heldOpen ? (
        <Notice severity="high" title={t('MAINTENANCE.CONSOLE.HELD_OPEN.TITLE')}>
          {t('MAINTENANCE.CONSOLE.HELD_OPEN.TEXT', { file: heldOpenFile })}
        </Notice>
      ) : null}
      <div className="now-parts">
        <div className="now-state">
          <span className="now-icon">
            <Icon name={icons[mode]} size={24} />
          </span>
          <div>
            <h2 id="maintenance-now">{t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(mode)}.NOW`)}</h2>
            <p className="muted">
              {since === null ? (
                t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(mode)}.HINT`)
              ) : (
                <>
                  {t('MAINTENANCE.CONSOLE.SINCE')} {shortTime(formats, since, clock.now())}
                </>
              )}
            </p>
            {settings.mode === 'off' || settings.source === 'flag-host' || settings.heldOpen ? null : (
              <EndNow settings={settings} goesOn={goesOn} />
            )}
          </div>
        </div>
        <NextChange settings={settings} window={window} />
        <div className="now-people">
          <Icon name="people" size={20} />
          <p>
            {presence.data !== undefined
              ? presenceInWords(t, presence.data)
              : t(
                  presence.isError
                    ? 'MAINTENANCE.CONSOLE.PRESENCE.UNKNOWN'
                    : 'MAINTENANCE.CONSOLE.PRESENCE.LOADING',
                )}
          </p>
        </div>
      </div>
      <Seen settings={settings} window={window} />
    </section>
  );
}

type Change = { at: number; key: 'BEGINS' | 'ENDS' };

/** The next change: the start, or the end. */
function NextChange({ settings, window }: Pick<NowPanelProps, 'settings' | 'window'>) {
  const { t } = useTranslation();
  const now = useServerNow();
  const change = changeOf(settings, window, now);
  const none = () => {
    if (settings.heldOpen) return t('MAINTENANCE.CONSOLE.TURN.HELD');
    if (settings.inForce.mode === 'off') return t('MAINTENANCE.CONSOLE.TURN.NOTHING');
    return t('MAINTENANCE.CONSOLE.TURN.NO_END');
  };
  return change === null ? <p className="now-turn muted">{none()}</p> : <Countdown change={change} />;
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
  const face = clockFace(left);
  return (
    <div className={late ? 'now-turn now-turn-late' : 'now-turn'}>
      <p>
        {late
          ? t('MAINTENANCE.CONSOLE.TURN.LATE')
          : t(`MAINTENANCE.CONSOLE.TURN.${key}${face === null ? '_FAR' : ''}`)}{' '}
        <strong className="now-face" role="timer">
          {late ? formats.duration(-left) : (face ?? formats.relative(at, now))}
        </strong>
      </p>
      <p className="muted">{withUtc(t, timeInBothZones(formats, at, now))}</p>
    </div>
  );
}

/** What people see now, in a sentence. */
function Seen({ settings: { inForce, heldOpen }, window }: Pick<NowPanelProps, 'settings' | 'window'>) {
  const { t } = useTranslation();
  const now = useServerNow();
  const phase = window === null ? null : phaseAt(window, now);
  const text = inForce.text === '' && inForce.upcoming !== null ? textOf(inForce.upcoming) : inForce.text;
  const seen = whatPeopleSee({ mode: inForce.mode, text, heldOpen, window, now });
  const source =
    inForce.mode === 'off' || heldOpen
      ? null
      : window !== null && phase !== null && isRunning(phase)
        ? t('MAINTENANCE.CONSOLE.BECAUSE.WINDOW', { title: window.title })
        : t('MAINTENANCE.CONSOLE.BECAUSE.HAND');
  return (
    <div className="now-seen">
      <p className="now-seen-words">
        <Icon name="eye" />
        <span>
          {t(`MAINTENANCE.CONSOLE.SEEN.${seen}`)} {source}
        </span>
      </p>
      {text === '' ? null : <blockquote>{text}</blockquote>}
    </div>
  );
}

function textOf({ text, title }: { text: string; title: string }): string {
  return text === '' ? title : text;
}

import { type Notice, type TextByLanguage, textFor } from '#features/maintenance/contract/maintenance.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBranding } from '#web/platform/branding.ts';
import type { Formats } from '#web/platform/i18n/formats.ts';
import type { ServerClock } from '#web/platform/time/server-clock.ts';
import { Button } from '#web/ui/button.tsx';
import { Mark } from '#web/ui/mark.tsx';
import { countdownText, useCountdown } from './countdown.ts';
import { inWords, timeWords } from './time-words.ts';
import { useFormats } from '#web/platform/contexts.tsx';
import './maintenance-page.css';

type FrameProps = {
  title: string;
  text?: string | undefined;
  end?: ReactNode;
  children: ReactNode;
};

/** The static part of the page, which the server sends before any script runs. */
export function MaintenanceFrame({ title, text, end, children }: FrameProps) {
  const { product, mark } = useBranding();
  return (
    <div className="maintenance-page stack gap-4 centers text-center">
      <span className="maintenance-mark stack gap-2 centers accent">
        <Mark size={56} src={mark} />
        <strong>{product}</strong>
      </span>
      <h1 tabIndex={-1}>{title}</h1>
      {text === undefined || text === '' ? null : (
        <p className="maintenance-text muted prose breaks" dir="auto">
          {text}
        </p>
      )}
      {end === undefined ? null : <div className="maintenance-end">{end}</div>}
      <div className="maintenance-safe centers stack gap-2 muted">{children}</div>
      <MaintenanceHelp />
    </div>
  );
}

/** Whom to ask, and where the state of the installation is reported; nothing where neither is set. */
function MaintenanceHelp() {
  const { t } = useTranslation();
  const { contact, statusUrl } = useBranding();
  if (contact === null && statusUrl === null) return null;
  return (
    <div className="maintenance-help row wrap muted breaks">
      {contact === null ? null : (
        <p>
          {t('MAINTENANCE.PAGE.CONTACT')}{' '}
          {contact.href === null ? contact.text : <a href={contact.href}>{contact.text}</a>}
        </p>
      )}
      {statusUrl === null ? null : (
        <a href={statusUrl} rel="noreferrer">
          {t('MAINTENANCE.PAGE.STATUS')}
        </a>
      )}
    </div>
  );
}

/**
 * The countdown and, below it, the end. A `face` of one space reserves the height of the countdown, so that nothing
 * moves when it appears.
 */
export function ExpectedEnd({ face, until }: { face: string | null; until: string }) {
  return (
    <>
      {face === null ? null : (
        <p className="maintenance-clock strong" role="timer">
          {face}
        </p>
      )}
      <p className="muted">{until}</p>
    </>
  );
}

type MaintenancePageProps = {
  /** `texts`: its text in the languages in which it was written. */
  notice: Notice & { texts?: TextByLanguage };
  /** Milliseconds since the epoch by the server, or null where it is not known. */
  expectedEnd: number | null;
  clock: Pick<ServerClock, 'now'>;
  /** `unreachable`: the server does not answer. */
  state?: 'closed' | 'unreachable';
  /** Links, such as the one to pass through and work. */
  children?: ReactNode;
};

/** The page that people see during maintenance (MAINT-3). It fills its container. */
export function MaintenancePage({
  notice,
  expectedEnd,
  clock,
  state = 'closed',
  children,
}: MaintenancePageProps) {
  const { t, i18n } = useTranslation();
  const { maintenanceText: text, texts = {} } = notice;
  return (
    <MaintenanceFrame
      title={t('MAINTENANCE.PAGE.TITLE')}
      text={textFor({ text, texts }, i18n.language)}
      end={expectedEnd === null ? undefined : <Countdown end={expectedEnd} clock={clock} />}
    >
      <p>{t('MAINTENANCE.PAGE.BY_ITSELF')}</p>
      <p role="status" className="maintenance-trouble">
        {state === 'unreachable' ? t('MAINTENANCE.PAGE.UNREACHABLE') : null}
      </p>
      {children}
    </MaintenanceFrame>
  );
}

/** Maintenance is over; browsers return to the application spread out over a while. */
export function ReopenedPage({ seconds, onGo }: { seconds: number; onGo: () => void }) {
  const { t } = useTranslation();
  const duration = inWords(useFormats(), seconds, 'second');
  return (
    <MaintenanceFrame title={t('MAINTENANCE.PAGE.REOPENED')}>
      <p role="status">{t('MAINTENANCE.PAGE.REOPENING', { duration })}</p>
      <Button tone="primary" onClick={onGo}>
        {t('MAINTENANCE.PAGE.GO_BACK')}
      </Button>
    </MaintenanceFrame>
  );
}

function Countdown({ end, clock }: { end: number; clock: Pick<ServerClock, 'now'> }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { now, left, spoken } = useCountdown(end, clock);
  return (
    <>
      {left > 0 ? (
        <ExpectedEnd face={countdownText(left)} until={untilText(t, formats, end, now)} />
      ) : (
        <p className="muted">{t('MAINTENANCE.PAGE.OVERDUE')}</p>
      )}
      <p role="status" className="visually-hidden">
        {spoken === null
          ? null
          : t('MAINTENANCE.PAGE.LEFT', { duration: inWords(formats, spoken, 'minute') })}
      </p>
    </>
  );
}

type Translate = (key: string, values: Record<string, string>) => string;

/** Until about when maintenance lasts, for the reader's zone and in UTC. */
export function untilText(t: Translate, here: Formats, end: number, now: number): string {
  const { time, utc } = timeWords(here, end, now);
  return utc === null
    ? t('MAINTENANCE.PAGE.UNTIL_UTC', { time })
    : t('MAINTENANCE.PAGE.UNTIL', { time, utc });
}

import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan, useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { provideRefusal } from '#web/platform/calls/problem-text.ts';
import { useStore } from '#web/platform/state/use-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { shortTime } from '../time-words.ts';
import { usePassed } from '../countdown.ts';
import type { Maintenance } from './maintenance.ts';

/**
 * The ribbon above the screens, for people who work during maintenance, and for all while changes are refused
 * (MAINT-4, MAINT-6).
 */
export function MaintenanceRibbon({ maintenance }: { maintenance: Maintenance }) {
  const gate = useStore(maintenance.gate);
  const { expectedEnd } = useStore(maintenance.state);
  const mayPass = useStore(maintenance.mayPass);
  if (gate === 'passed') return <Passed onBack={maintenance.unpass} />;
  if (gate === 'read-only') return <ReadOnly expectedEnd={expectedEnd} exempt={mayPass} />;
  return null;
}

function Passed({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation();
  return (
    <Notice banner severity="medium" role="status">
      <span className="notice-line row wrap between">
        {t('MAINTENANCE.RIBBON.PASSED')}
        <span className="row wrap">
          <Button small tone="quiet" onClick={onBack}>
            {t('MAINTENANCE.RIBBON.BACK')}
          </Button>
          <EndLink />
        </span>
      </span>
    </Notice>
  );
}

/** A link to the question whether to end maintenance. */
function EndLink() {
  const { t } = useTranslation();
  if (!useCan()('MAINTENANCE_WRITE')) return null;
  return (
    <Link to="/maintenance" search={{ do: 'end' }} className="button button-small button-quiet">
      {t('MAINTENANCE.RIBBON.END')}
    </Link>
  );
}

/** A person who may bypass the page may also change things in read-only mode. */
function ReadOnly({ expectedEnd, exempt }: { expectedEnd: number | null; exempt: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const clock = useServerClock();
  const late = usePassed(expectedEnd, clock);
  const until = expectedEnd === null || late ? null : shortTime(formats, expectedEnd, clock.now());
  const shownUntil = useRef(until);
  useEffect(() => {
    shownUntil.current = until;
  }, [until]);
  useEffect(() => (exempt ? undefined : provideRefusal(() => ({ until: shownUntil.current }))), [exempt]);
  const text = () => {
    if (exempt) return t('MAINTENANCE.RIBBON.READ_ONLY_EXEMPT');
    if (late) return t('MAINTENANCE.RIBBON.READ_ONLY_LATE');
    if (until === null) return t('MAINTENANCE.RIBBON.READ_ONLY');
    return t('MAINTENANCE.RIBBON.READ_ONLY_UNTIL', { time: until });
  };
  return (
    <Notice banner severity="info" role="status">
      <span className="notice-line row wrap between">
        {text()}
        {exempt ? <EndLink /> : null}
      </span>
    </Notice>
  );
}

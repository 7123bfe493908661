import type { Boot } from '#contract/boot.ts';
import { textFor } from '#features/maintenance/contract/maintenance.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createBannerVisibility, closedMessage } from '#features/maintenance/web/banner-visibility.ts';
import { MaintenanceBanner } from '#features/maintenance/web/banner.tsx';
import { watchApproach } from '#features/maintenance/web/member/approach.ts';
import { untilText } from '#features/maintenance/web/maintenance-page.tsx';
import type { Api } from '../platform/calls/call.ts';
import { ProvideServerClock, useFormats } from '../platform/contexts.tsx';
import { derive } from '../platform/state/store.ts';
import { useStore } from '../platform/state/use-store.ts';
import { browserChannel, openBroadcast } from '../platform/tabs/broadcast.ts';
import { browserClock } from '../platform/time/clock.ts';
import { createBrowserSessionMemory } from '../platform/tabs/browser-session-memory.ts';
import { Notice } from '../ui/notice.tsx';
import { followMaintenance } from './follow-maintenance.ts';

/** Follows the maintenance status, and whether its notice was closed in this browser session. */
function follow(api: Api, boot: Boot) {
  const { status, serverClock, presence } = followMaintenance(api, boot);
  const approach = watchApproach(
    derive([status], ({ upcoming }) => upcoming),
    { clock: browserClock, serverClock, presence },
  );
  const banner = createBannerVisibility({
    shown: derive([status], ({ text, severity, upcoming }) => ({
      maintenanceText: text,
      maintenanceTextSeverity: severity,
      upcoming,
    })),
    near: derive([approach], (near) => near !== null),
    memory: createBrowserSessionMemory(document, window.location),
    broadcast: openBroadcast(browserChannel, 'notice', closedMessage),
    presence,
  });
  return { status, serverClock, banner };
}

/** Shows above the sign-in the notice that signed-in people see, or that maintenance is on (MAINT-2). Live. */
export function MaintenanceAbove({ api, boot }: { api: Api; boot: Boot }) {
  const [view] = useState(() => follow(api, boot));
  const { mode, text, texts, severity, expectedEnd, upcoming } = useStore(view.status);
  const visible = useStore(view.banner.visible);
  return (
    <ProvideServerClock value={view.serverClock}>
      {mode === 'full' ? (
        <Closed text={{ text, texts }} expectedEnd={expectedEnd} now={view.serverClock.now()} />
      ) : (
        <MaintenanceBanner
          notice={{ maintenanceText: text, texts, maintenanceTextSeverity: severity }}
          upcoming={upcoming}
          visible={visible}
          onClose={view.banner.close}
        />
      )}
    </ProvideServerClock>
  );
}

type ClosedProps = { text: Parameters<typeof textFor>[0]; expectedEnd: number | null; now: number };

/** A notice that cannot be closed: a person who signs in now comes to the maintenance page. */
function Closed({ text, expectedEnd, now }: ClosedProps) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  return (
    <Notice banner severity="high" role="alert" title={t('MAINTENANCE.PAGE.TITLE')}>
      {expectedEnd === null || expectedEnd <= now ? null : untilText(t, formats, expectedEnd, now)}
      <span className="maintenance-banner-line" dir="auto">
        {textFor(text, i18n.language)}
      </span>
      <span className="maintenance-banner-line">{t('MAINTENANCE.PAGE.AFTER_SIGN_IN')}</span>
    </Notice>
  );
}

import { createBannerVisibility, readClosedMessage } from '#features/maintenance/web/banner-visibility.ts';
import { watchApproach } from '#features/maintenance/web/member/approach.ts';
import { derive } from '../platform/state/store.ts';
import { browserChannel, openBroadcast } from '../platform/tabs/broadcast.ts';
import { createBrowserSessionMemory } from '../platform/tabs/browser-session-memory.ts';
import type { EmbedPage } from './page.ts';

export type BannerView = ReturnType<typeof followBanner>;

/** Whether something stands above the page; a notice that is closed here is closed in Portico's own pages too. */
export function followBanner(page: EmbedPage) {
  const upcoming = derive(
    [page.maintenance],
    (now) => now.upcoming,
    (one, other) => JSON.stringify(one) === JSON.stringify(other),
  );
  const approach = watchApproach(upcoming, page);
  const { visible, close } = createBannerVisibility({
    shown: derive([page.maintenance], ({ text, severity, upcoming: next }) => ({
      maintenanceText: text,
      maintenanceTextSeverity: severity,
      upcoming: next,
    })),
    near: derive([approach], (near) => near !== null),
    memory: createBrowserSessionMemory(document, window.location),
    broadcast: openBroadcast(browserChannel, 'notice', readClosedMessage),
    presence: page.presence,
  });
  return {
    visible,
    close,
    approach,
    mayPass: derive([page.rights], () => page.can('MAINTENANCE_BYPASS')),
    wanted: derive([visible, page.maintenance], (isVisible, { mode }) => isVisible || mode !== 'off'),
  };
}

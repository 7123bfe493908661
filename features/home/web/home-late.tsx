import { listOwnChanges, type OwnChange } from '#features/home/contract/home.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '#web/app/app-context.tsx';
import { useOpenReport } from '#features/feedback/web/open-report.ts';
import { BegunReport, RecentReports } from '#features/feedback/web/recent/recent-reports.tsx';
import { useApi } from '#web/platform/contexts.tsx';
import { useStore } from '#web/platform/state/use-store.ts';
import { OwnChanges } from './own-changes.tsx';

/** The lowest part of the home screen, downloaded after the rest, since it sends requests of its own. */
export function HomeLate() {
  const { reportBug, reportNews } = useApp();
  const reportView = useStore(reportBug.view);
  const news = useStore(reportNews.changes);
  const openReport = useOpenReport();
  return (
    <>
      <BegunReport open={reportView !== 'trigger'} onContinue={() => void openReport()} />
      <RecentReports justSent={reportView === 'thanks'} changes={news} />
      <LatestChanges />
    </>
  );
}

/** How many are shown. */
const most = 5;

/** The latest changes of the person's account; shows nothing where there are none, or while they are not known. */
function LatestChanges() {
  const { t } = useTranslation();
  const api = useApi();
  const { permissions } = useApp();
  const [found, setFound] = useState<readonly OwnChange[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const load = () => {
      if (document.visibilityState === 'visible')
        api.call(listOwnChanges, {}, { signal }).then(setFound, () => {
          // The known changes stay until the person returns to the tab.
        });
    };
    load();
    // Changes of maintenance load nothing here, since every browser receives them at the same time.
    const stop = permissions.state.subscribe(load);
    document.addEventListener('visibilitychange', load, { signal });
    return () => {
      stop();
      leaving.abort();
    };
  }, [api, permissions]);
  if (found.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="home-changes">
      <h2 id="home-changes">{t('HOME_CHANGES.TITLE')}</h2>
      <OwnChanges changes={found.slice(0, most)} />
    </section>
  );
}

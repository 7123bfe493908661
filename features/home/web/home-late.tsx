import { listOwnChanges, type OwnChange } from '#features/home/contract/own-changes.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '#web/app/app-context.tsx';
import { useOpenReport } from '#features/feedback/web/open-report.ts';
import { BegunReport, RecentReports } from '#features/feedback/web/recent/recent-reports.tsx';
import { useApi } from '#web/platform/contexts.tsx';
import { useStore } from '#web/platform/state/use-store.ts';
import { OwnChanges } from './own-changes.tsx';

/** What stands below the rest of the home screen: it is downloaded after that, since it comes with requests of its own. */
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

/** What happened to the person's account of late; nothing where nothing did, or while that is not known. */
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
          // What is known stays until the person comes back to the tab.
        });
    };
    load();
    // Not with maintenance, which every browser hears of at once.
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

import { MyReportsScreen } from '../../../features/feedback/member/my-reports-screen.tsx';
import { useStore } from '../../../platform/state/use-store.ts';
import { useApp } from '../../app-context.tsx';

/** What the person has reported, with what they have just sent. */
export function MyReports() {
  const { live, reportBug, reportNews } = useApp();
  return (
    <MyReportsScreen
      justSent={useStore(reportBug.view) === 'thanks'}
      changes={useStore(reportNews.changes)}
      live={useStore(live.connected)}
    />
  );
}

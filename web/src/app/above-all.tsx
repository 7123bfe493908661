import { MaintenanceBanner } from '../features/maintenance/banner.tsx';
import { MaintenanceRibbon } from '../features/maintenance/member/maintenance-ribbon.tsx';
import { useStore } from '../platform/use-store.ts';
import { useHouse } from './house.tsx';

/** What stands above every page and pushes it down. */
export function AboveAll() {
  const { maintenance, banner } = useHouse();
  const state = useStore(maintenance.state);
  const visible = useStore(banner.visible);
  return (
    <>
      <MaintenanceBanner notice={state} upcoming={state.upcoming} visible={visible} onClose={banner.close} />
      <MaintenanceRibbon maintenance={maintenance} />
    </>
  );
}

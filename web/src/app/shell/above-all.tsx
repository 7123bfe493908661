import { useEffect } from 'react';
import { MaintenanceBanner, markTabIcon } from '#features/maintenance/web/banner.tsx';
import { useStore } from '../../platform/state/use-store.ts';
import { useApp } from '../app-context.tsx';
import { DeferredPart } from '../../platform/deferred-part.tsx';

const loadRibbon = async () =>
  (await import('#features/maintenance/web/member/maintenance-ribbon.tsx')).MaintenanceRibbon;

/** Banners above every page, which they push down. */
export function AboveAll() {
  const { maintenance, banner } = useApp();
  const state = useStore(maintenance.state);
  const visible = useStore(banner.visible);
  const gate = useStore(maintenance.gate);
  useEffect(() => markTabIcon(gate !== 'open'), [gate]);
  return (
    <>
      <MaintenanceBanner notice={state} upcoming={state.upcoming} visible={visible} onClose={banner.close} />
      <DeferredPart
        wanted={gate === 'passed' || gate === 'read-only'}
        load={loadRibbon}
        given={{ maintenance }}
      />
    </>
  );
}

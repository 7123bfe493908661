import { MaintenanceConsole } from '../../../features/maintenance/console/maintenance-screen.tsx';
import { useApp } from '../../app-context.tsx';

/** The operator's maintenance, in whose tab the page of maintenance does not cover what its operator starts here. */
export function ConsoleMaintenance() {
  const { maintenance } = useApp();
  return <MaintenanceConsole stay={maintenance.stay} />;
}

import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, useEffect } from 'react';
import { maintenanceKey } from '../features/maintenance/console/maintenance-key.ts';
import type { Maintenance } from '../features/maintenance/member/maintenance.ts';
import { createQueryClient } from './query-client.ts';
import { useHouse } from './house.tsx';

// One for all screens, so that going from one to another and back shows at once what was there.
let queries: QueryClient | null = null;

function queriesOf({ returning }: Maintenance): QueryClient {
  queries ??= createQueryClient(returning.get);
  return queries;
}

/** A screen that keeps lists and details of the server's. They are loaded again when maintenance is over. */
export function withQueries(Screen: ComponentType): ComponentType {
  return function ScreenWithQueries() {
    const { maintenance } = useHouse();
    const client = queriesOf(maintenance);
    useEffect(() => maintenance.onReopened(() => void client.invalidateQueries()), [maintenance, client]);
    // The console follows in the moment in which people see it.
    useEffect(
      () => maintenance.state.subscribe(() => void client.invalidateQueries({ queryKey: maintenanceKey })),
      [maintenance, client],
    );
    return (
      <QueryClientProvider client={client}>
        <Screen />
      </QueryClientProvider>
    );
  };
}

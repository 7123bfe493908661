import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, useEffect } from 'react';
import { createQueryClient } from './query-client.ts';
import { useHouse } from './house.tsx';

// One for all screens, so that going from one to another and back shows at once what was there.
const queries = createQueryClient();

/** A screen that keeps lists and details of the server's. They are loaded again when maintenance is over. */
export function withQueries(Screen: ComponentType): ComponentType {
  return function ScreenWithQueries() {
    const { maintenance } = useHouse();
    useEffect(() => maintenance.onReopened(() => void queries.invalidateQueries()), [maintenance]);
    return (
      <QueryClientProvider client={queries}>
        <Screen />
      </QueryClientProvider>
    );
  };
}

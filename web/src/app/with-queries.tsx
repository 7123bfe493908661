import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, useEffect } from 'react';
import { maintenanceKey } from '#features/maintenance/web/live-status.ts';
import type { Api } from '../platform/calls/call.ts';
import { callThrough } from '../platform/calls/route-query.ts';
import { problemText } from '../platform/calls/problem-text.ts';
import { notify } from '../ui/notifications/notifications.ts';
import { useApi } from '../platform/contexts.tsx';
import { browserClock } from '../platform/time/clock.ts';
import { createQueryClient, followConnection, followLists } from './query-client.ts';
import { type AppContext, useApp } from './app-context.tsx';

// One client for all screens, so that a screen that is opened again shows at once what was cached.
let queries: QueryClient | null = null;

function queriesOf({ live, maintenance, texts: { i18n } }: AppContext, api: Api): QueryClient {
  if (queries !== null) return queries;
  const created = createQueryClient(maintenance.returning.get, (error) =>
    notify({
      kind: 'error',
      key: 'more-failed',
      title: i18n.t('COMMON.MORE_FAILED'),
      content: problemText(i18n.t, error),
    }),
  );
  callThrough(created, api);
  followLists(created, live, browserClock);
  followConnection(created, live);
  return (queries = created);
}

/** A screen with lists and details from the server. They are reloaded when maintenance is over. */
export function withQueries<Props extends object>(Screen: ComponentType<Props>): ComponentType<Props> {
  return function ScreenWithQueries(props: Props) {
    const services = useApp();
    const { maintenance } = services;
    const client = queriesOf(services, useApi());
    useEffect(() => maintenance.onReopened(() => void client.invalidateQueries()), [maintenance, client]);
    // When the maintenance state changes, the console reloads its list as soon as people can see the change.
    useEffect(
      () => maintenance.state.subscribe(() => void client.invalidateQueries({ queryKey: maintenanceKey })),
      [maintenance, client],
    );
    return (
      <QueryClientProvider client={client}>
        <Screen {...props} />
      </QueryClientProvider>
    );
  };
}

import { useInfiniteQuery } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAskedAction } from '#web/platform/lists/asked-action.ts';
import { listState } from '#web/platform/lists/list-state.ts';
import { useApi, useCan } from '#web/platform/contexts.tsx';
import { useHasStoredWork } from '#web/platform/forms/stored-work.ts';
import { Button } from '#web/ui/button.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { noSelection, shownSelection } from '#web/platform/lists/selection.ts';
import { BulkBar } from './bulk/bulk-bar.tsx';
import { BulkDialog } from './bulk/bulk-dialog.tsx';
import type { BulkTask } from './bulk/bulk-effect.ts';
import { invitationWork } from './invitation-draft.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { PeopleFilterBar } from './people-filter-bar.tsx';
import { peopleQuery } from './people-queries.ts';
import { PeopleTable } from './people-table.tsx';
import { usePeopleFilter } from './use-people-filter.ts';
import './people.css';

/** All people: search, sort, invite, and change many at once. A row leads to the person's page. */
export function PeopleScreen() {
  const { t } = useTranslation();
  const api = useApi();
  const can = useCan();
  const filter = usePeopleFilter();
  const navigate = useNavigate();
  const [selection, setSelection] = useState(noSelection);
  const [task, setTask] = useState<BulkTask | null>(null);
  const [inviting, setInviting] = useState(useHasStoredWork(invitationWork) && can('PEOPLE_WRITE'));
  useAskedAction('invite', can('PEOPLE_WRITE'), () => setInviting(true));
  const people = useInfiniteQuery(peopleQuery(api, filter.query));
  const found = people.data?.pages.flatMap((page) => page.people) ?? [];
  const selected = shownSelection(
    selection,
    found.map(({ id }) => id),
  );
  const chosen = found.filter(({ id }) => selected.ids.has(id));
  const mayWrite = can('PEOPLE_WRITE');
  // Older links open a person in a dialog of this screen; persons have a page of their own now.
  const { person } = filter.address;
  if (person !== '') return <Navigate to="/people/$personId" params={{ personId: person }} replace />;
  const invite = (
    <Button tone="primary" icon="plus" onClick={() => setInviting(true)}>
      {t('PEOPLE.INVITE')}
    </Button>
  );

  return (
    <>
      <ScreenHead title={t('PEOPLE.TITLE')} lead={t('PEOPLE.LEAD')}>
        {mayWrite ? invite : null}
      </ScreenHead>

      <PeopleFilterBar
        filter={filter}
        total={people.data === undefined ? undefined : (people.data.pages[0]?.total ?? 0)}
      />

      <ListFrame
        texts="PEOPLE"
        {...listState(t, people)}
        skeletonRows={8}
        count={found.length}
        empty={{ icon: 'people', action: mayWrite ? invite : undefined }}
        onClear={filter.isNarrowed ? filter.clear : undefined}
      >
        <PeopleTable
          people={found}
          order={filter.query.order}
          direction={filter.query.direction}
          onSort={filter.sort}
          selection={mayWrite ? { value: selected, onChange: setSelection } : null}
          onOpen={({ id }) => void navigate({ to: '/people/$personId', params: { personId: id } })}
        />
      </ListFrame>

      <InviteDialog open={inviting} onClose={() => setInviting(false)} />
      {chosen.length === 0 ? null : (
        <BulkBar
          count={chosen.length}
          total={found.length}
          onTask={setTask}
          onAll={() => setSelection({ ids: new Set(found.map(({ id }) => id)), anchor: null })}
          onClear={() => setSelection(noSelection)}
        />
      )}
      {task === null || chosen.length === 0 ? null : (
        <BulkDialog
          task={task}
          people={chosen}
          onClose={() => setTask(null)}
          onDone={() => {
            setTask(null);
            setSelection(noSelection);
          }}
        />
      )}
    </>
  );
}

import {
  type PeopleOrder,
  type PersonState,
  listPeople,
  getPerson,
} from '#features/people/contract/people.ts';
import { listRightsOfPerson } from '#features/permissions/contract/administration.ts';
import { listSessionsOfPerson } from '#features/session/contract/sessions.ts';
import { keepPreviousData } from '@tanstack/react-query';
import { routePages, routeQuery } from '#web/platform/calls/route-query.ts';

/** The filter of the list, as it is in the address. */
export type PeopleFilter = {
  search: string;
  state: PersonState | '';
  role: string;
  right: string;
  group: string;
  order: PeopleOrder;
  direction: 'ascending' | 'descending';
};

export const peopleKey = ['people'] as const;

/** The list of people, page by page. */
export const peopleQuery = (filter: PeopleFilter) => ({
  ...routePages([...peopleKey, 'list', filter], listPeople, {
    query: {
      search: filter.search,
      order: filter.order,
      direction: filter.direction,
      ...(filter.state === '' ? {} : { state: filter.state }),
      ...(filter.role === '' ? {} : { role: filter.role }),
      ...(filter.right === '' ? {} : { right: filter.right }),
      ...(filter.group === '' ? {} : { group: filter.group }),
    },
  }),
  // While a changed filter loads, the previous list stays, so that nothing jumps.
  placeholderData: keepPreviousData,
});

export const personQuery = (personId: string) =>
  routeQuery([...peopleKey, 'one', personId], getPerson, { params: { personId } });

/** Every right of the catalogue, with why a person has it or not. */
export const rightsOfPersonQuery = (personId: string) =>
  routeQuery([...peopleKey, 'rights', personId], listRightsOfPerson, { params: { personId } });

/** Where a person is signed in; asked again as time passes, since nothing reports it. */
export const sessionsOfPersonQuery = (personId: string) => ({
  ...routeQuery([...peopleKey, 'sessions', personId], listSessionsOfPerson, { params: { personId } }),
  refetchInterval: 30_000,
});

import type { PeopleOrder, PersonState } from '#features/people/contract/people.ts';
import { listPeople, getPerson } from '#features/people/contract/people.ts';
import { listRightsOfPerson } from '#features/permissions/contract/administration.ts';
import { listSessionsOfPerson } from '#features/session/contract/of-person.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';
import { pages } from '#web/platform/lists/pages.ts';

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

/** A page of people after the other. */
export function peopleQuery(api: Api, filter: PeopleFilter) {
  return infiniteQueryOptions({
    queryKey: [...peopleKey, 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      api.call(
        listPeople,
        {
          query: {
            search: filter.search,
            order: filter.order,
            direction: filter.direction,
            ...(filter.state === '' ? {} : { state: filter.state }),
            ...(filter.role === '' ? {} : { role: filter.role }),
            ...(filter.right === '' ? {} : { right: filter.right }),
            ...(filter.group === '' ? {} : { group: filter.group }),
            ...pageParam,
          },
        },
        { signal },
      ),
    ...pages,
    // While a changed filter loads, the previous list stays, so that nothing jumps.
    placeholderData: (previous) => previous,
  });
}

export function personQuery(api: Api, personId: string) {
  return queryOptions({
    queryKey: [...peopleKey, 'one', personId],
    queryFn: ({ signal }) => api.call(getPerson, { params: { personId } }, { signal }),
  });
}

/** Every right of the catalogue, with why a person has it or not. */
export function rightsOfPersonQuery(api: Api, personId: string) {
  return queryOptions({
    queryKey: [...peopleKey, 'rights', personId],
    queryFn: ({ signal }) => api.call(listRightsOfPerson, { params: { personId } }, { signal }),
  });
}

/** Where a person is signed in; asked again as time passes, since nothing reports it. */
export function sessionsOfPersonQuery(api: Api, personId: string) {
  return queryOptions({
    queryKey: [...peopleKey, 'sessions', personId],
    queryFn: ({ signal }) => api.call(listSessionsOfPerson, { params: { personId } }, { signal }),
    refetchInterval: 30_000,
  });
}

import { peopleOrder, personState, type PeopleOrder } from '#features/people/contract/people.ts';
import { rightName, roleName } from '#features/permissions/contract/administration.ts';
import { useDeferredValue } from 'react';
import { useAddressFilter } from '#web/platform/lists/address-filter.ts';
import type { PeopleFilter } from './people-queries.ts';

const fields = ['search', 'state', 'role', 'right', 'group', 'order', 'direction', 'person'] as const;

/** Search, filters and order of the list of people, which are stored in the address. */
export function usePeopleFilter() {
  const [address, set] = useAddressFilter(fields);
  const { group } = address;
  const state = personState.safeParse(address.state).data ?? '';
  const role = roleName.safeParse(address.role).data ?? '';
  const right = rightName.safeParse(address.right).data ?? '';
  const order = peopleOrder.safeParse(address.order).data ?? 'name';
  const direction: 'ascending' | 'descending' =
    address.direction === 'descending' ? 'descending' : 'ascending';
  const search = useDeferredValue(address.search);
  const query: PeopleFilter = { search, state, role, right, group, order, direction };
  return {
    address,
    set,
    query,
    isNarrowed: address.search !== '' || state !== '' || role !== '' || right !== '' || group !== '',
    clear: () => set({ search: '', state: '', role: '', right: '', group: '' }),
    /** Sorts by a column; a second call reverses the direction. Times begin with the latest. */
    sort(by: PeopleOrder): void {
      const first = by === 'name' ? '' : 'descending';
      const reversed = direction === 'ascending' ? 'descending' : '';
      set({ order: by === 'name' ? '' : by, direction: by === order ? reversed : first });
    },
  };
}

export type PeopleFilterInAddress = ReturnType<typeof usePeopleFilter>;

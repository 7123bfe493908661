import { expect, it } from 'vitest';
import { createStore } from '../platform/state/store.ts';
import { followRights } from './follow-rights.ts';
import type { EmbedPage } from './page.ts';

/** A page of an application in which a person is signed in. */
function openPage(id: string) {
  const known = createStore<unknown>(null);
  const session = { state: createStore({ status: 'signed-in' }) };
  const { change, acknowledge } = followRights(
    { embedStatus: { known }, session } as unknown as EmbedPage,
    () => true,
  );
  const become = (rights: string[]) =>
    known.set({ user: { id }, rights, rightLabels: { ORDERS: 'See orders' }, maintenance: { mode: 'off' } });
  become([]);
  become(['ORDERS']);
  return { become, change: () => change.get(), acknowledge };
}

it('RIGHT-6: the warning that is closed in one page is closed in the other pages of that person', async () => {
  const [one, two, ofAnother] = [openPage('ada'), openPage('ada'), openPage('bob')];
  const warning = { gained: ['See orders'], lost: [] };
  expect([one.change(), two.change(), ofAnother.change()]).toEqual([warning, warning, warning]);
  two.become(['ORDERS', 'MAPS']);
  one.acknowledge();
  expect(one.change()).toBeNull();
  await expect.poll(() => two.change()).toEqual({ gained: ['MAPS'], lost: [] });
  two.acknowledge();
  expect([two.change(), ofAnother.change()]).toEqual([null, warning]);
});

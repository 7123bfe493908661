import { describe, expect, it } from 'vitest';
import type { PermissionsState } from '#features/permissions/web/permissions.ts';
import type { ProfileState } from '#features/profile/web/profile.ts';
import { createErrorRecord } from '../platform/record-error.ts';
import { createStore } from '../platform/state/store.ts';
import { settled } from '../testing/manual-clock.ts';
import { watchReadiness } from './readiness.ts';

const ann = {
  id: 'ann',
  email: 'ann@example.org',
  firstName: 'Ann',
  lastName: '',
  phone: '',
  organisation: '',
  jobTitle: '',
  locale: 'fr' as string | null,
  timeZone: null,
  avatar: null,
  createdAt: 0,
  version: 1,
};
const loaded = (locale: string | null): ProfileState => ({
  status: 'success',
  currentUser: { ...ann, locale },
});

function setUp() {
  const profile = createStore<ProfileState>({ status: 'pending', currentUser: null });
  const permissions = createStore<PermissionsState>({ status: 'pending', rights: [] });
  const errors = createErrorRecord(() => 0);
  const shown: string[] = [];
  let loads: () => Promise<void> = () => Promise.resolve();
  const ready = watchReadiness({
    profile,
    permissions,
    errors,
    page: 'de',
    texts: {
      show(language) {
        shown.push(language);
        return loads();
      },
    },
  });
  return { profile, permissions, errors, shown, ready, load: (how: () => Promise<void>) => (loads = how) };
}

describe('RIGHT-8: nothing is drawn before it is known what the person may see', () => {
  it('RIGHT-8: waits for the profile, the rights and the texts in the language of the person', async () => {
    const { profile, permissions, shown, ready } = setUp();
    expect(ready.get()).toBe(false);
    profile.set(loaded('fr'));
    await settled();
    expect([ready.get(), shown]).toEqual([false, ['fr']]);
    permissions.set({ status: 'success', rights: [] });
    expect(ready.get()).toBe(true);
  });

  it('RIGHT-8: a failure to load counts as known too, and locks no one out', async () => {
    const { profile, permissions, shown, ready, errors, load } = setUp();
    load(() => Promise.reject(new TypeError('Failed to fetch')));
    profile.set({ status: 'error', currentUser: null });
    permissions.set({ status: 'error', rights: [] });
    await settled();
    expect([ready.get(), shown]).toEqual([true, ['de']]);
    expect(errors.recorded.get().map(({ what }) => what)).toEqual(['texts.load']);
  });

  it('LOOK-3: a profile that is loaded again changes the language, and the screens stay', async () => {
    const { profile, permissions, shown, ready } = setUp();
    permissions.set({ status: 'success', rights: [] });
    profile.set(loaded('fr'));
    await settled();
    const seen: boolean[] = [];
    ready.subscribe(() => seen.push(ready.get()));
    profile.set(loaded('en'));
    await settled();
    expect([shown, seen]).toEqual([['fr', 'en'], []]);
  });

  it('RIGHT-8: starts again for another person', async () => {
    const { profile, permissions, ready } = setUp();
    permissions.set({ status: 'success', rights: [] });
    profile.set(loaded('fr'));
    await settled();
    profile.set({ status: 'pending', currentUser: null });
    expect(ready.get()).toBe(false);
  });
});

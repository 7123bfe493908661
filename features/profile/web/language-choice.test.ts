import type { Profile } from '#features/profile/contract/profile.ts';
import { expect, it } from 'vitest';
import type { Language } from '#web/platform/i18n/language.ts';
import { createStore } from '#web/platform/state/store.ts';
import { settled } from '#web/testing/manual-clock.ts';
import { createLanguageChoice } from './language-choice.ts';
import type { OwnProfile, UpdateOutcome } from './profile.ts';

const ada: Profile = {
  id: 'ada',
  email: 'ada@example.org',
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: '',
  organisation: '',
  jobTitle: '',
  locale: 'en',
  timeZone: null,
  avatar: null,
  createdAt: 0,
  version: 1,
};

function setUp({ stored = [null, null] as [string | null, string | null] } = {}) {
  let [saved, chosenBy] = stored;
  const currentUser = createStore<Profile | null>(ada);
  const sent: string[] = [];
  let answering: () => Promise<boolean> = () => Promise.resolve(true);
  const amend: OwnProfile['amend'] = async ({ locale = null }): Promise<UpdateOutcome> => {
    sent.push(String(locale));
    if (!(await answering())) return { status: 'failed', error: null };
    const profile = { ...(currentUser.get() ?? ada), locale };
    currentUser.set(profile);
    return { status: 'saved', profile };
  };
  const choice = createLanguageChoice({
    profile: { currentUser, amend },
    person: createStore<string | null>('ada'),
    memory: {
      read: () => ({ saved, chosenBy }),
      save: (language: Language | null, personId) => void ([saved, chosenBy] = [language, personId]),
    },
  });
  return {
    choice,
    currentUser,
    sent,
    stored: () => [saved, chosenBy],
    answer: (how: () => Promise<boolean>) => (answering = how),
  };
}

it('LOOK-3: a choice goes into the profile, and is then no longer waiting here', async () => {
  const { choice, sent, stored } = setUp();
  choice.choose('de');
  expect(stored()).toEqual(['de', 'ada']);
  await settled();
  expect(sent).toEqual(['de']);
  expect(stored()).toEqual(['de', null]);
});

it('LOOK-3: without an answer the choice holds here, and is stored at the next load', async () => {
  const { choice, currentUser, sent, stored, answer } = setUp();
  answer(() => Promise.resolve(false));
  choice.choose('de');
  await settled();
  expect(stored()).toEqual(['de', 'ada']);
  answer(() => Promise.resolve(true));
  currentUser.set({ ...ada, version: 2 });
  await settled();
  expect(sent).toEqual(['de', 'de']);
  expect(stored()).toEqual(['de', null]);
});

it('LOOK-3: of two choices in a row the newest stays', async () => {
  const { choice, currentUser, sent, stored, answer } = setUp();
  const first = Promise.withResolvers<boolean>();
  answer(() => first.promise);
  choice.choose('de');
  choice.choose('fr');
  first.resolve(true);
  await settled();
  expect(sent).toEqual(['de', 'fr']);
  expect(currentUser.get()?.locale).toBe('fr');
  expect(stored()).toEqual(['fr', null]);
});

it('LOOK-3: what the profile already holds is not sent again', async () => {
  const { sent, stored } = setUp({ stored: ['en', 'ada'] });
  await settled();
  expect(sent).toEqual([]);
  expect(stored()).toEqual(['en', null]);
});

it("LOOK-3: another person's choice and one from before the sign-in stay out of the profile", async () => {
  const { sent } = setUp({ stored: ['de', 'bob'] });
  const before = setUp({ stored: ['de', null] });
  await settled();
  expect([sent, before.sent]).toEqual([[], []]);
});

it('LOOK-3: what the profile is about to get undoes a choice that still waits', async () => {
  const { choice, currentUser, sent, stored, answer } = setUp();
  answer(() => Promise.resolve(false));
  choice.choose('de');
  await settled();
  choice.dropChoice('fr');
  currentUser.set({ ...ada, locale: 'fr' });
  await settled();
  expect([sent, stored()]).toEqual([['de'], ['fr', null]]);
});

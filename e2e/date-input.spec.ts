import type { Locator } from '@playwright/test';
import { expectNoViolations } from './accessible.ts';
import { dateField, expect, fillDate, restingBox, test } from './fixtures.ts';

const habits = [
  {
    words: { plan: 'Plan a window', title: 'Title', start: 'Start', end: 'End', save: 'Plan the window' },
    start: ['112420361030p', '11/24/2036, 10:30 PM', 'Monday, November 24, 2036 selected'],
    end: '112520360130a',
    next: 'Deutsch',
  },
  {
    words: {
      plan: 'Fenster planen',
      title: 'Titel',
      start: 'Beginn',
      end: 'Ende',
      save: 'Das Fenster planen',
    },
    start: ['251120362230', '25.11.2036, 22:30', 'Dienstag, 25. November 2036 ausgewählt'],
    end: '261120360130',
    next: 'Français',
  },
  {
    words: {
      plan: 'Planifier une fenêtre',
      title: 'Titre',
      start: 'Début',
      end: 'Fin',
      save: 'Planifier la fenêtre',
    },
    start: ['261120362230', '26/11/2036 22:30', 'mercredi 26 novembre 2036 sélectionné'],
    end: '271120360130',
    next: 'English',
  },
] as const;

const parts = (field: Locator) => field.getByRole('spinbutton');

/** What a field shows, without the marks that keep the direction of the time. */
async function shownIn(field: Locator): Promise<string> {
  const text = (await field.textContent()) ?? '';
  return text.replaceAll(/[\u2066-\u2069]/g, '').replaceAll('\u202F', ' ');
}

/** Between a field and the calendar below or above it, in pixels. */
async function gap(field: Locator, calendar: Locator): Promise<number> {
  const [from, to] = await Promise.all([restingBox(field), restingBox(calendar)]);
  return Math.min(Math.abs(to.y - from.y - from.height), Math.abs(from.y - to.y - to.height));
}

test.describe('in American English', () => {
  test.use({ locale: 'en-US' });

  test('LOOK-3: a time is typed by the habits of the person’s language, and saved as the time of the chosen zone', async ({
    api,
    signIn,
  }) => {
    const olga = await api.person('Olga', ['operator']);
    await api.setProfile(olga.id, { timeZone: 'Asia/Kolkata' });
    // The parts of the field come later than the form.
    const pressed = Promise.withResolvers<void>();
    const page = await signIn(olga, {
      at: '/maintenance',
      before: (opened) =>
        opened.route(/\/typed-date-[^/]*\.js/, async (route) => {
          await pressed.promise;
          await route.continue();
        }),
    });
    await page.setViewportSize({ width: 360, height: 800 });
    for (const [at, { words, start, end, next }] of habits.entries()) {
      await page.getByRole('button', { name: words.plan }).first().click();
      await page.getByLabel(words.title).fill(`Before ${next}`);
      const [typed, shown, day] = start;
      const field = dateField(page, words.start);
      // A press on the label leads there, as to any other field.
      await page
        .locator('label')
        .filter({ hasText: new RegExp(`^${words.start}`) })
        .click();
      if (at === 0) await expect(parts(field)).toHaveCount(0);
      pressed.resolve();
      await expect(parts(field).first()).toBeFocused();
      await page.keyboard.type(typed);
      await expect.poll(() => shownIn(field)).toBe(shown);
      await parts(dateField(page, words.end)).first().focus();
      await page.keyboard.type(end);
      await parts(field).last().focus();
      await page.keyboard.press('Alt+ArrowDown');
      await expect(page.getByRole('button', { name: day })).toBeFocused();
      expect(await gap(field, page.locator('.date-input-panel:popover-open'))).toBeLessThan(12);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: words.save, exact: true }).last().click();
      await expect(page.getByLabel(words.title)).toHaveCount(0);
      const planned = (await api.windows()).find(({ title }) => title === `Before ${next}`);
      const startsAt = Date.parse(`2036-11-${24 + at}T22:30+05:30`);
      expect(planned).toMatchObject({ startsAt, endsAt: startsAt + 3 * 3_600_000 });
      await page
        .getByRole('banner')
        .getByRole('button', { name: /Account of|Konto von|Compte de/ })
        .click();
      await page.getByRole('menuitemradio', { name: next }).click();
      await page.keyboard.press('Escape');
    }
  });
});

test('LOOK-2 LOOK-3: a day is typed, pasted, copied, chosen from the calendar and cleared, by keyboard alone', async ({
  signIn,
}) => {
  const page = await signIn('operator', { at: '/audit' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: /^Period/ }).click();
  const from = dateField(page, 'From');
  const until = dateField(page, 'Until');
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  await test.step('a half-typed day is none', async () => {
    await parts(from).first().focus();
    expect(await shownIn(from)).toBe('dd/mm/yyyy');
    await page.keyboard.type('2411');
    await expect.poll(() => shownIn(from)).toBe('24/11/yyyy');
    expect(new URL(page.url()).search).toBe('');
    await page.keyboard.type('2026');
    await expect(page).toHaveURL(/from=2026-11-24/);
    await press('Backspace', 'Backspace', 'Backspace', 'Backspace');
    await expect.poll(() => shownIn(from)).toBe('24/11/yyyy');
    await expect(page).not.toHaveURL(/from=/);
    await page.keyboard.type('2026');
    await expect(page).toHaveURL(/from=2026-11-24/);
  });

  await test.step('a day that its month does not have becomes the last one when the field is left', async () => {
    await parts(from).first().focus();
    await page.keyboard.type('31');
    await expect.poll(() => shownIn(from)).toBe('31/11/2026');
    await expect(page).not.toHaveURL(/from=/);
    await press('Tab', 'Tab', 'Tab');
    await expect(page).toHaveURL(/from=2026-11-30/);
    expect(await shownIn(from)).toBe('30/11/2026');
  });

  await test.step('a copied day can be pasted into another field, and one outside the bounds is marked', async () => {
    await parts(from).first().focus();
    await press('Control+c');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('30/11/2026');
    await parts(until).first().focus();
    await press('Control+v');
    await expect(page).toHaveURL(/until=2026-11-30/);
    await expect(parts(until).first()).not.toHaveAttribute('aria-invalid');
    await fillDate(until, '2026-11-29');
    await expect(parts(until).first()).toHaveAttribute('aria-invalid', 'true');
  });

  await test.step('the calendar', async () => {
    await parts(until).first().focus();
    await press('Alt+ArrowDown');
    const calendar = page.getByRole('dialog', { name: 'Calendar, Until' });
    await expect(calendar.getByRole('grid', { name: 'Until, November 2026' })).toBeVisible();
    await expectNoViolations(page, 'calendar');
    await press('PageDown', 'ArrowRight');
    await expect(calendar.getByRole('grid', { name: 'Until, December 2026' })).toBeVisible();
    await press('Enter');
    await expect(calendar).toBeHidden();
    await expect(page).toHaveURL(/until=2026-12-31/);
    await expect(page.getByRole('button', { name: 'Calendar, Until' })).toBeFocused();
    await press('Enter');
    await calendar.getByRole('button', { name: 'Clear' }).click();
    expect(await shownIn(until)).toBe('dd/mm/yyyy');
    await expect(page).not.toHaveURL(/until=/);
  });
});

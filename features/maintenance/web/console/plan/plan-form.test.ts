import { describe, expect, it } from 'vitest';
import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { resolveWallTime } from '#contract/rules/wall-time.ts';
import { editOf, readEdit } from '#web/platform/forms/versioned-form.ts';
import { windowAt } from '../../testing/window.ts';
import {
  formOf,
  leadOf,
  newForm,
  readForm,
  readStoredForm,
  type WindowForm,
  withEnd,
  withStart,
} from './plan-form.ts';
import { entryAt } from './wall-time-field.tsx';
import { typedTexts } from './written-texts.ts';

const berlin = 'Europe/Berlin';
const now = Date.parse('2027-03-01T12:20Z');
const typed: WindowForm = { ...newForm(now, berlin, []), title: 'Database upgrade' };
const at = (local: string, offset: number | null = null) => ({ local, offset });

function mistakesIn(form: WindowForm) {
  const read = readForm(form, now, null);
  return 'mistakes' in read ? read.mistakes : {};
}

const savedWindow = (change: Partial<MaintenanceWindow> = {}) =>
  windowAt(now + 3_600_123, { leadMinutes: 60, timeZone: berlin, version: 3, ...change });

describe('MAINT-5 MAINT-7: planning a window', () => {
  it('MAINT-5: sends the texts in the phases and languages in which something is typed, and shows them again', () => {
    const texts = { before: { en: 'Soon.', fr: 'Bientôt.' }, finished: { de: 'Fertig.' } };
    const form = { ...typed, texts: { ...typedTexts(texts), late: { en: ' ', de: '', fr: '' } } };
    expect(readForm(form, now, null)).toMatchObject({ draft: { text: '', texts } });
    expect(formOf(savedWindow({ texts }), berlin).texts).toEqual(typedTexts(texts));
  });

  it('MAINT-5: begins with the next full hour that leaves time to warn, in the zone of who plans', () => {
    expect(typed.start).toEqual(at('2027-03-01T15:00'));
    expect(typed.end).toEqual(at('2027-03-01T16:00'));
    expect(readForm(typed, now, null)).toMatchObject({
      draft: {
        startsAt: { local: '2027-03-01T15:00', timeZone: berlin },
        endsAt: { local: '2027-03-01T16:00', timeZone: berlin },
        leadMinutes: 60,
      },
    });
  });

  it('MAINT-5: names the field and the mistake before anything is sent', () => {
    expect(mistakesIn({ ...typed, title: ' ' })).toEqual({ title: 'title_required' });
    expect(mistakesIn({ ...typed, title: 'x'.repeat(121) })).toEqual({ title: 'title_too_long' });
    expect(mistakesIn({ ...typed, text: 'x'.repeat(10_000) })).toEqual({ text: 'text_too_long' });
    const texts = typedTexts({ late: { fr: 'x'.repeat(2_001) } });
    expect(mistakesIn({ ...typed, texts })).toEqual({ late: 'text_too_long' });
    expect(mistakesIn({ ...typed, start: at('2027-02-28T15:00') })).toEqual({ start: 'past' });
    expect(mistakesIn({ ...typed, end: at('2027-03-01T15:00') })).toEqual({ end: 'before_start' });
    expect(mistakesIn({ ...typed, end: at('') })).toEqual({ end: 'time_required' });
    expect(mistakesIn({ ...typed, timeZone: 'Europe/Nowhere' })).toEqual({ timeZone: 'unknown_zone' });
    expect(mistakesIn({ ...typed, lead: '-5' })).toEqual({ lead: 'lead' });
    expect(mistakesIn({ ...typed, lead: '10081' })).toEqual({ lead: 'lead' });
    expect(leadOf({ ...typed, lead: ' 90 ' })).toBe(90);
  });

  it('MAINT-5: a time that daylight saving skips or doubles is not sent until it is settled', () => {
    expect(mistakesIn({ ...typed, start: at('2027-03-28T02:30'), end: at('2027-03-28T04:00') })).toEqual({
      start: 'time_skipped',
    });
    const autumn = { ...typed, start: at('2027-10-31T02:30'), end: at('2027-10-31T04:00') };
    expect(mistakesIn(autumn)).toEqual({ start: 'time_doubled' });
    expect(readForm({ ...autumn, start: at('2027-10-31T02:30', 60) }, now, null)).toMatchObject({
      draft: { startsAt: { local: '2027-10-31T02:30', timeZone: berlin, offset: 60 } },
    });
  });

  it('MAINT-5: the end goes along with the start, also over a change of the clocks', () => {
    const moved = withStart(typed, at('2027-03-28T01:30'));
    expect(moved.end).toEqual(at('2027-03-28T03:30'));
    expect(withStart({ ...typed, end: at('') }, at('2027-03-28T01:30')).end).toEqual(at(''));
  });

  it('MAINT-5: an end that was typed stays where it is, also when a doubled time is settled', () => {
    const moved = withStart(typed, at('2027-10-31T02:30'));
    expect(moved.endBy).toBe('start');
    const ended = withEnd(moved, at('2027-10-31T04:30'));
    expect(withStart(ended, at('2027-10-31T02:30', 60)).end).toEqual(at('2027-10-31T04:30'));
    expect(withStart(moved, at('2027-10-31T02:30', 60)).end).toEqual(at('2027-10-31T03:30'));
  });

  it('MAINT-5: begins with an hour in which nothing else is planned', () => {
    const hour = 3_600_000;
    const first = Date.parse('2027-03-01T14:00Z');
    const others = [
      { startsAt: first + 1.5 * hour, endsAt: first + 1.75 * hour },
      { startsAt: first - hour, endsAt: first + 0.1 * hour },
      { startsAt: first + 4 * hour, endsAt: first + 9 * hour },
    ];
    expect(newForm(now, berlin, others).start).toEqual(at('2027-03-01T17:00'));
    expect(newForm(now, berlin, others.slice(2)).start).toEqual(typed.start);
  });

  it('MAINT-5: of two times with one name the field keeps which it was', () => {
    const resolved = resolveWallTime({ local: '2027-10-31T02:30', timeZone: berlin });
    if (resolved.kind !== 'doubled') throw new Error(resolved.kind);
    expect(entryAt(resolved.first, berlin)).toEqual(at('2027-10-31T02:30', 120));
    expect(entryAt(resolved.second, berlin)).toEqual(at('2027-10-31T02:30', 60));
  });

  it('MAINT-5: times that were not touched go back to the millisecond, and what has started stays', () => {
    const window = savedWindow();
    expect(readForm(formOf(window, 'UTC'), now, window)).toMatchObject({
      draft: { startsAt: window.startsAt, endsAt: window.endsAt },
    });
    const started = savedWindow({ startsAt: now - 1, endsAt: now + 3_600_000 });
    const form = { ...formOf(started, berlin), end: at('2027-03-01T15:20') };
    expect(readForm({ ...form, start: at(''), lead: '' }, now, started)).toMatchObject({
      draft: { startsAt: now - 1, leadMinutes: 60, endsAt: { local: '2027-03-01T15:20' } },
    });
    expect(readForm({ ...form, end: at('2027-03-01T13:19') }, now, started)).toEqual({
      mistakes: { end: 'before_start' },
    });
  });

  it('MAINT-3: what was stored is restored, unless another release has written it', () => {
    const plan = {
      version: 3,
      before: typed,
      form: { ...typed, title: 'Half typed' },
      creation: 'c'.repeat(32),
    };
    const readStoredPlan = (stored: unknown) =>
      readEdit(stored, editOf({ values: newForm(now, berlin, []), version: 0 }), readStoredForm);
    expect(readStoredPlan(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
    expect(readStoredPlan({ ...plan, form: { ...typed, mode: 'closed' } })).toBeNull();
    expect(readStoredPlan({ ...plan, form: { ...typed, endBy: 'chance' } })).toBeNull();
    expect(readStoredPlan({ ...plan, form: { ...typed, start: 'soon' } })).toBeNull();
    expect(readStoredPlan('soon')).toBeNull();
  });
});

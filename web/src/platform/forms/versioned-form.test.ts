import { describe, expect, it } from 'vitest';
import { afterSaving, editOf, readEdit, sameJson, storedEdit } from './versioned-form.ts';

type Values = { name: string; roles: string[] };

const isRole = (role: string) => role !== 'gone';
const read = (values: Values) => (values.roles.every(isRole) ? values : null);
const reloaded = (stored: object): unknown => JSON.parse(JSON.stringify(stored));

describe('MAINT-3: what is typed in a form is found again', () => {
  const opened = editOf<Values>({ values: { name: 'Mia', roles: [] }, version: 7 });
  const typed = { ...opened, form: { name: 'Mia K.', roles: ['member'] } };

  it('MAINT-3: with the version and the values that it was typed over, also where newer ones are there by now', () => {
    const newer = editOf<Values>({ values: { name: 'Noor', roles: [] }, version: 9 });
    expect(readEdit(reloaded(storedEdit(typed)), newer, read)).toEqual(typed);
  });

  it('MAINT-3 API-3: of a new thing the typed values, and the id under which it is created', () => {
    const empty = editOf<Values>({ values: { name: '', roles: [] } });
    const begun = { ...empty, form: { name: 'Mia', roles: ['member'] } };
    expect(storedEdit(begun)).toEqual({ name: 'Mia', roles: ['member'], creation: begun.creation });
    const again = editOf<Values>({ values: { name: '', roles: [] } });
    expect(again.creation).not.toBe(begun.creation);
    expect(readEdit(reloaded(storedEdit(begun)), again, read)).toEqual(begun);
    expect(readEdit({ name: 'Mia', roles: [] }, again, read)?.creation).toBe(again.creation);
  });

  it.each([
    ['of a form without a version', typed.form],
    ['with a field that is missing', { ...typed, form: { name: 'Mia' } }],
    ['with a field of another type', { ...typed, before: { name: 1, roles: [] } }],
    ['with a version of another type', { ...typed, version: '7' }],
    ['with a value that is none any more', { ...typed, form: { name: 'Mia', roles: ['gone'] } }],
    ['that is nothing', null],
  ])('MAINT-3: nothing is restored from something %s', (_what, stored) => {
    expect(readEdit(stored, opened, read)).toBeNull();
  });

  it('MAINT-3: what is typed while a save is under way stays, on the state that was saved', () => {
    const saved = { values: typed.form, version: 8 };
    const since = { ...typed, form: { name: 'Mia K. K.', roles: ['member'] } };
    expect(afterSaving(typed, typed.form, saved, sameJson)).toMatchObject({ version: 8, form: typed.form });
    expect(afterSaving(since, typed.form, saved, sameJson)).toMatchObject({
      version: 8,
      before: typed.form,
      form: since.form,
    });
  });

  it('MAINT-3: an edit that was reverted does not count as typed', () => {
    expect(sameJson(opened.form, { ...typed.form, name: 'Mia', roles: [] })).toBe(true);
    expect(sameJson(opened.form, typed.form)).toBe(false);
  });
});

import * as fc from 'fast-check';
import type { Flag, FlagType } from '#features/flags/contract/flags.ts';
import { describe, expect, it } from 'vitest';
import { editOf, readEdit, sameJson, storedEdit } from '#web/platform/forms/versioned-form.ts';
import {
  definitionForType,
  definitionIn,
  draftOf,
  emptyForm,
  formOf,
  newDraftOf,
  readStoredForm,
  sameForm,
  valueForType,
  valueText,
} from './flag-form.ts';

const values: Record<FlagType, fc.Arbitrary<unknown>> = {
  boolean: fc.boolean(),
  string: fc.string(),
  number: fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((number) => (Object.is(number, -0) ? 0 : number)),
  json: fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown),
};

describe('FLAG-3: the form of a flag', () => {
  it('FLAG-3: what was read into the form is read out of it again', () => {
    const types: FlagType[] = ['boolean', 'string', 'number', 'json'];
    fc.assert(
      fc.property(
        fc.constantFrom(...types).chain((type) => fc.tuple(fc.constant(type), values[type])),
        ([type, defaultValue]) => {
          const flag = {
            key: 'K',
            type,
            description: 'd',
            defaultValue,
            enabled: true,
            rules: [{ force: 1 }],
            tags: ['a', 'b'],
            forSignedOut: true,
            killSwitch: true,
            createdAt: 0,
            changedAt: 0,
            changedBy: null,
            version: 1,
          } satisfies Flag;
          const written = {
            type,
            description: 'd',
            defaultValue,
            tags: ['a', 'b'],
            forSignedOut: true,
            killSwitch: true,
          };
          expect(draftOf(formOf(flag))).toEqual({ ...written, rules: [{ force: 1 }] });
          const typed = {
            ...emptyForm,
            type,
            description: 'd',
            value: valueText(type, defaultValue),
            forSignedOut: true,
            killSwitch: true,
          };
          expect(newDraftOf({ ...typed, tags: 'a, b,a' })).toEqual({ ...written, rules: [] });
        },
      ),
    );
  });

  it('FLAG-3: what cannot be read is not sent', () => {
    expect(newDraftOf({ ...emptyForm, type: 'number', value: 'many' })).toBeNull();
    expect(newDraftOf({ ...emptyForm, type: 'number', value: ' ' })).toBeNull();
    for (const value of ['9007199254740993', '1e400', '0.10000000000000001', '-0', '0x10'])
      expect([value, newDraftOf({ ...emptyForm, type: 'number', value })]).toEqual([value, null]);
    for (const value of ['[9007199254740993]', '{"a":1,"a":2}', '{"__proto__":1}'])
      expect([value, newDraftOf({ ...emptyForm, type: 'json', value })]).toEqual([value, null]);
    expect(newDraftOf({ ...emptyForm, type: 'json', value: '{' })).toBeNull();
    for (const json of ['{', '[]', '{}', '{"defaultValue":1,"rules":{}}', '{"defaultValue":1,"rules":[1]}'])
      expect(definitionIn(json)).toBeNull();
    expect(definitionIn('{"defaultValue":1,"rule":[]}')).toBeNull();
    expect(definitionIn('{"defaultValue":null}')).toEqual({ defaultValue: null, rules: [] });
  });

  it('FLAG-10: the layout of the JSON is no change, its content is', () => {
    const json = '{"defaultValue":1,"rules":[]}';
    const form = {
      type: 'json' as const,
      description: '',
      tags: '',
      forSignedOut: false,
      killSwitch: false,
      json,
    };
    expect(sameForm(form, { ...form, json: '{ "defaultValue": 1, "rules": [] }' })).toBe(true);
    expect(sameForm(form, { ...form, json: '{"defaultValue":2,"rules":[]}' })).toBe(false);
    expect(sameForm(form, { ...form, json: '{"defaultValue":1,' })).toBe(false);
    expect(sameForm(form, { ...form, tags: 'a' })).toBe(false);
    expect(sameForm(form, { ...form, forSignedOut: true })).toBe(false);
  });

  it('FLAG-3: another type keeps the value where it fits and starts again where it does not', () => {
    expect(valueForType('string', 'false')).toBe('false');
    expect(valueForType('json', 'false')).toBe('false');
    expect(valueForType('number', 'false')).toBe('0');
    expect(valueForType('boolean', '12')).toBe('false');
    const rules = [{ force: 1 }];
    expect(definitionForType('string', { defaultValue: 'a', rules })).toEqual({ defaultValue: 'a', rules });
    expect(definitionForType('number', { defaultValue: 'a', rules })).toEqual({ defaultValue: 0, rules });
  });
});

describe('MAINT-3: a flag that was typed and stored over a reload', () => {
  const typed = { ...emptyForm, key: 'NEW', type: 'json' as const, value: '{"half":' };

  const readNew = (stored: unknown) => readEdit(stored, editOf({ values: emptyForm }), readStoredForm);
  const readChange = (stored: unknown) =>
    readEdit(stored, editOf({ values: { ...emptyForm, key: 'OLD' }, version: 4 }), readStoredForm);

  it('MAINT-3: is found as it was, half typed or not, with what it was typed over', () => {
    const edit = { version: 3, before: emptyForm, form: typed, creation: 'c'.repeat(32) };
    expect(readNew(JSON.parse(JSON.stringify(typed)))).toMatchObject({
      version: undefined,
      before: emptyForm,
      form: typed,
    });
    expect(readChange(JSON.parse(JSON.stringify(storedEdit(edit))))).toEqual(edit);
    expect(sameJson(typed, { ...typed })).toBe(true);
    expect(sameJson(typed, { ...typed, value: '' })).toBe(false);
  });

  it.each([[null], [[]], [{}], [{ ...typed, type: 'date' }], [{ ...typed, enabled: 'yes' }]])(
    'MAINT-3: is none of this release: %j',
    (other) => {
      expect(readNew(other)).toBeNull();
      expect(readChange({ version: 1, before: emptyForm, form: other })).toBeNull();
    },
  );
});

import * as fc from 'fast-check';
import type { Flag, FlagType } from '@portico/contract/flags';
import { describe, expect, it } from 'vitest';
import { editOf, readEdit, sameJson, storedEdit } from '../../../platform/forms/versioned-form.ts';
import { emptyForm, formOf, readForm, readStoredForm, valueForType } from './flag-form.ts';

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
            createdAt: 0,
            changedAt: 0,
            changedBy: null,
            version: 1,
          } satisfies Flag;
          expect(readForm(formOf(flag))).toEqual({
            draft: { type, description: 'd', defaultValue, rules: [{ force: 1 }], tags: ['a', 'b'] },
          });
        },
      ),
    );
  });

  it('FLAG-3: names the field that cannot be read', () => {
    expect(readForm({ ...emptyForm, type: 'number', value: 'many' })).toEqual({ wrong: 'value' });
    expect(readForm({ ...emptyForm, type: 'number', value: ' ' })).toEqual({ wrong: 'value' });
    expect(readForm({ ...emptyForm, type: 'json', value: '{' })).toEqual({ wrong: 'value' });
    expect(readForm({ ...emptyForm, rules: '{}' })).toEqual({ wrong: 'rules' });
    expect(readForm({ ...emptyForm, rules: '[1]' })).toEqual({ wrong: 'rules' });
    expect(readForm({ ...emptyForm, rules: '[' })).toEqual({ wrong: 'rules' });
  });

  it('FLAG-3: another type keeps the value where it fits and starts anew where it does not', () => {
    expect(valueForType('string', 'false')).toBe('false');
    expect(valueForType('json', 'false')).toBe('false');
    expect(valueForType('number', 'false')).toBe('0');
    expect(valueForType('boolean', '12')).toBe('false');
  });
});

describe('MAINT-3: a flag that was typed and stored over a reload', () => {
  const typed = { ...emptyForm, key: 'NEW', type: 'json' as const, value: '{"half":' };

  const readNew = (stored: unknown) => readEdit(stored, editOf({ values: emptyForm }), readStoredForm);
  const readChange = (stored: unknown) =>
    readEdit(stored, editOf({ values: { ...emptyForm, key: 'OLD' }, version: 4 }), readStoredForm);

  it('MAINT-3: is found as it was, half typed or not, with what it was typed over', () => {
    const edit = { version: 3, before: emptyForm, form: typed };
    expect(readNew(JSON.parse(JSON.stringify(typed)))).toEqual({
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

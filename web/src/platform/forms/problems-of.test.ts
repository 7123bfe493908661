import type { TFunction } from 'i18next';
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../calls/problem-error.ts';
import { type ProblemWords, problemsOf } from './problems-of.ts';

const t = ((key: string) => key) as TFunction;

const words: ProblemWords<'key' | 'name' | 'rules'> = {
  fields: {
    key: { taken: 'KEY_TAKEN', else: 'KEY' },
    name: 'NAME',
    rules: (_t, { message }, below) => `${below}: ${message}`,
  },
  codes: { FLAG_IN_USE: 'IN_USE', WINDOW_OVERLAPS: (_t, { detail }) => detail ?? 'OVERLAPS' },
};

function refused(code: string, pointers: readonly [pointer: string, code: string][] = [], detail?: string) {
  const errors = pointers.map(([pointer, reason]) => ({ pointer, code: reason, message: 'told' }));
  return new ProblemError({ status: 422, code, title: '', errors, detail });
}

describe('API-1: what the server refuses stands at the fields', () => {
  it('API-1: by pointer and code, also of what stands below a field', () => {
    const error = refused('INVALID_BODY', [
      ['/key', 'format'],
      ['/name', 'too_big'],
      ['/rules/0/id', 'required'],
    ]);
    expect(problemsOf(t, error, words)).toEqual({ key: 'KEY', name: 'NAME', rules: '/0/id: told' });
    expect(problemsOf(t, refused('CONFLICT', [['/key', 'taken']]), words)).toEqual({ key: 'KEY_TAKEN' });
  });

  it('API-1: also where the form calls the field otherwise', () => {
    const renamed = problemsOf(
      t,
      refused('INVALID_BODY', [
        ['/startsAt', 'past'],
        ['/endsAt', 'no_zone'],
      ]),
      {
        fields: { start: 'START', zone: 'ZONE' },
        fieldOf: (name, code) => (code === 'no_zone' ? 'zone' : name === 'startsAt' ? 'start' : name),
      },
    );
    expect(renamed).toEqual({ start: 'START', zone: 'ZONE' });
    const large = problemsOf(t, refused('TOO_LARGE'), {
      fields: { mark: { TOO_LARGE: 'LARGE', else: 'MARK' } },
      fieldOf: (name, code) => (code === 'TOO_LARGE' ? 'mark' : name),
    });
    expect(large).toEqual({ mark: 'LARGE' });
  });

  it('API-1: the first problem of a field counts', () => {
    const error = refused('INVALID_BODY', [
      ['/key', 'taken'],
      ['/key', 'format'],
    ]);
    expect(problemsOf(t, error, words)).toEqual({ key: 'KEY_TAKEN' });
  });

  it('API-1: what belongs to no field is shown for the whole, in addition to what does', () => {
    const general = 'COMMON.ERRORS.SERVER.CRITICAL_ERROR';
    const error = refused('INVALID_BODY', [
      ['/keys', 'format'],
      ['/key', 'format'],
      ['', 'unknown'],
    ]);
    expect(problemsOf(t, error, words)).toEqual({ key: 'KEY', general });
    expect(problemsOf(t, refused('INVALID_BODY'), words)).toEqual({ general });
    expect(problemsOf(t, refused('INVALID_BODY', [['/toString', 'unknown']]), words)).toEqual({ general });
    expect(problemsOf(t, new Error('a bug'), words)).toEqual({ general });
    expect(problemsOf(t, null, words)).toEqual({});
  });

  it('API-1: codes have words of the form, else those that are the same everywhere', () => {
    expect(problemsOf(t, refused('FLAG_IN_USE', [['/affected', 'flag']]), words)).toEqual({
      general: 'IN_USE',
    });
    expect(problemsOf(t, refused('WINDOW_OVERLAPS', [], 'With another.'), words)).toEqual({
      general: 'With another.',
    });
    expect(problemsOf(t, refused('VERSION_CONFLICT'), words)).toEqual({
      general: 'COMMON.ERRORS.VERSION_CONFLICT',
    });
  });

  it('CON-1: a problem of a field goes as soon as the field holds something else, and no sooner', () => {
    const error = refused('INVALID_BODY', [
      ['/name', 'too_big'],
      ['/key', 'format'],
    ]);
    expect(problemsOf(t, error, words)).toEqual({ name: 'NAME', key: 'KEY' });
    expect(problemsOf(t, error, words, ['key', 'rules'])).toEqual({ name: 'NAME' });
    expect(problemsOf(t, null, words, ['name'])).toEqual({});
  });
});

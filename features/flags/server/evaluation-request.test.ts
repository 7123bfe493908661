import { describe, expect, it } from 'vitest';
import { readEvaluationRequest } from './evaluation-request.ts';

const entries = (count: number) => Array.from({ length: count }, (_none, index) => [`k${index}`, 1] as const);
const nothing = { attributes: {}, forcedVariations: {}, forcedFeatures: new Map(), url: '' };

describe('the body of a remote evaluation', () => {
  it.each([
    [undefined, nothing],
    [null, nothing],
    [{}, nothing],
    [{ attributes: null, forcedVariations: null, forcedFeatures: null, url: null, more: 1 }, nothing],
    [
      { attributes: { id: 'a' }, forcedVariations: { e: 1 }, forcedFeatures: [['f', null]], url: '?e=1' },
      {
        attributes: { id: 'a' },
        forcedVariations: { e: 1 },
        forcedFeatures: new Map([['f', null]]),
        url: '?e=1',
      },
    ],
  ])('FLAG-1: %j is read', (body, expected) => {
    expect(readEvaluationRequest(body)).toEqual(expected);
  });

  it('FLAG-3: takes a thousand entries of each kind, and no more', () => {
    const many = Object.fromEntries(entries(1_000));
    const whole = { attributes: many, forcedVariations: many, forcedFeatures: entries(1_000) };
    expect(readEvaluationRequest(whole).forcedFeatures.size).toBe(1_000);
    const tooMany = Object.fromEntries(entries(1_001));
    for (const [name, value] of [
      ['attributes', tooMany],
      ['forcedVariations', tooMany],
      ['forcedFeatures', entries(1_001)],
    ] as const)
      expect(() => readEvaluationRequest({ [name]: value })).toThrow(
        expect.objectContaining({
          code: 'INVALID_REQUEST',
          message: `${name} must have at most 1000 entries.`,
        }),
      );
  });

  it.each([
    ['text', 'The body must be an object.'],
    [[], 'The body must be an object.'],
    [{ attributes: [] }, 'attributes must be an object.'],
    [{ attributes: 'x' }, 'attributes must be an object.'],
    [{ forcedVariations: [1] }, 'forcedVariations must be an object.'],
    [{ forcedVariations: { e: 1, f: 0.5 } }, 'forcedVariations must hold whole numbers.'],
    [{ forcedVariations: { e: '1' } }, 'forcedVariations must hold whole numbers.'],
    [{ forcedFeatures: { f: 1 } }, 'forcedFeatures must be a list of [key, value].'],
    [{ forcedFeatures: [['f', 1], 'gg'] }, 'forcedFeatures must be a list of [key, value].'],
    [{ forcedFeatures: [['f']] }, 'forcedFeatures must be a list of [key, value].'],
    [{ forcedFeatures: [['f', 1, 2]] }, 'forcedFeatures must be a list of [key, value].'],
    [{ forcedFeatures: [[1, 1]] }, 'forcedFeatures must be a list of [key, value].'],
    [{ url: 1 }, 'url must be a text.'],
  ])('FLAG-3: %j is refused with its place', (body, message) => {
    expect(() => readEvaluationRequest(body)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', message }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { reportContext } from '@portico/contract/feedback';
import { contextParts, readSurroundings, sentAlong } from './surroundings.ts';

const window = {
  innerWidth: 1280,
  innerHeight: 720,
  devicePixelRatio: 1.25,
  document: { documentElement: { lang: 'de' } },
  navigator: { userAgent: 'Mozilla/5.0', language: 'de-AT' },
} as unknown as Window;
const read = (address: string) => readSurroundings(window, 1_000, { address, release: '0.1.0' });

describe('BUG-7: what is sent along', () => {
  it('BUG-7: the address with its query, without fragment and without who is signed in', () => {
    expect(read('https://ada:secret@portico.test/map?zoom=3#token=secret').address).toBe(
      'https://portico.test/map?zoom=3',
    );
  });

  it('BUG-7: everything, in the shape of the contract', () => {
    const { url, context } = sentAlong(read('https://portico.test/'), []);
    expect(url).toBe('https://portico.test/');
    expect(reportContext.parse(context)).toEqual(context);
    expect(context).toMatchObject({
      release: '0.1.0',
      browser: 'Mozilla/5.0',
      viewport: '1280 × 720 @1.25',
      language: 'de',
      time: 1_000,
    });
  });

  it.each(contextParts)('BUG-7: without %s where the person leaves it out', (part) => {
    const { url, context } = sentAlong(read('https://portico.test/'), [part]);
    const all = { address: url, ...context };
    expect(Object.keys(all).toSorted()).toEqual(
      contextParts.filter((one) => one !== part || one === 'address').toSorted(),
    );
    expect(url === '').toBe(part === 'address');
  });

  it('BUG-7: what would not fit is cut off', () => {
    const { url } = sentAlong(read(`https://portico.test/?${'x'.repeat(5_000)}`), []);
    expect(url).toHaveLength(2048);
  });
});

import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Face, hueOf } from './face.tsx';

it('CON-4: a person has one of twelve hues, the same everywhere, and names are spread over all of them', () => {
  const names = Array.from({ length: 300 }, (_, index) => `Person ${index}`);
  expect(hueOf('Ada Lovelace')).toBe(hueOf('Ada Lovelace'));
  expect(new Set(names.map(hueOf))).toEqual(new Set(Array.from({ length: 12 }, (_, hue) => hue)));
});

it('CON-4: a face adds nothing to what is read out and copied', () => {
  const drawn = renderToStaticMarkup(createElement(Face, { letters: 'AL', of: 'Ada Lovelace' }));
  expect(drawn).toBe(
    `<span class="face" style="--hue:${hueOf('Ada Lovelace')}" data-text="AL" aria-hidden="true"></span>`,
  );
});

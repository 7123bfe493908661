import { expect, it } from 'vitest';
import { createPictureReader } from './chosen-picture.ts';

const file = (text: string) => new Blob([text], { type: 'image/png' });

it('CON-1: the picture that is chosen last counts, also where the one before takes longer', async () => {
  const large = Promise.withResolvers<Blob>();
  const reader = createPictureReader(async (chosen) => (chosen.size > 3 ? large.promise : chosen));
  const shown: string[] = [];
  const first = reader.read(file('large'), ({ data }) => shown.push(atob(data)));
  await reader.read(file('new'), ({ data }) => shown.push(atob(data)));
  large.resolve(file('large'));
  await first;
  expect(shown).toEqual(['new']);
});

it('CON-1: a picture that is removed does not come back once an earlier choice has been read', async () => {
  const reader = createPictureReader();
  const shown: string[] = [];
  const reading = reader.read(file('old'), ({ url }) => shown.push(url));
  reader.cancel();
  await reading;
  expect(shown).toEqual([]);
});

it('CON-1: a file that cannot be read rejects, unless another one was chosen since', async () => {
  const large = Promise.withResolvers<Blob>();
  const reader = createPictureReader((chosen) => (chosen.size > 3 ? large.promise : Promise.resolve(chosen)));
  const shown: string[] = [];
  const first = reader.read(file('large'), ({ data }) => shown.push(atob(data)));
  await reader.read(file('new'), ({ data }) => shown.push(atob(data)));
  const again = reader.read(file('large'), ({ data }) => shown.push(atob(data)));
  large.reject(new DOMException('The file was deleted.', 'NotFoundError'));
  await first;
  await expect(again).rejects.toThrow('The file was deleted.');
  expect(shown).toEqual(['new']);
});

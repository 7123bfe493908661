import { describe, expect, it } from 'vitest';
import {
  drawnMarks,
  regionOf,
  type Shape,
  untouched,
  visibleMarks,
  withCrop,
  withMark,
  withMarkAs,
  withoutMark,
} from './work.ts';

const picture = { width: 1000, height: 500 };
const place = { x: 5, y: 5, width: 20, height: 20 };
const shapes: { [Kind in 'arrow' | 'number' | 'text']: Shape } = {
  arrow: { kind: 'arrow', tip: { x: 1, y: -1 }, ...place },
  number: { kind: 'number', ...place },
  text: { kind: 'text', text: 'Here', size: 12, lines: ['Here'], ...place },
};
const crop = { x: 100, y: 50, width: 400, height: 200 };

describe('BUG-3: what is done to a picture', () => {
  it('BUG-3: marks stay at their place in the picture when it is cropped, and when the crop is taken back', () => {
    const marked = withMark(untouched(picture), { kind: 'highlight', x: 150, y: 60, width: 30, height: 20 });
    const cropped = withCrop(marked, crop);
    expect(visibleMarks(cropped)).toEqual(marked.marks);
    expect(visibleMarks(withCrop(cropped, { x: 0, y: 0, ...picture }))).toEqual(marked.marks);
  });

  it('BUG-3: a mark outside the crop is neither shown nor drawn, and appears again with a larger crop', () => {
    const marked = withMark(untouched(picture), { kind: 'redaction', x: 900, y: 400, width: 50, height: 50 });
    const cropped = withCrop(marked, crop);
    expect(visibleMarks(cropped)).toEqual([]);
    expect(visibleMarks({ ...cropped, crop: null })).toHaveLength(1);
  });

  it('BUG-3: nothing is drawn over what is blacked out', () => {
    let work = withMark(untouched(picture), { kind: 'redaction', x: 0, y: 0, width: 50, height: 50 });
    work = withMark(work, { kind: 'highlight', x: 0, y: 0, width: 60, height: 60 });
    for (const kind of ['arrow', 'number', 'text'] as const)
      work = withMark(work, { ...shapes[kind], x: 0, y: 0, width: 40, height: 40 });
    expect(drawnMarks(work.marks).map(({ mark }) => mark.kind)).toEqual([
      'highlight',
      'arrow',
      'number',
      'text',
      'redaction',
    ]);
  });

  it('BUG-3: a crop to the whole picture counts as no crop', () => {
    const work = untouched(picture);
    expect(withCrop(work, { x: 0, y: 0, ...picture })).toBe(work);
    const cropped = withCrop(work, crop);
    expect(regionOf(cropped)).toEqual(crop);
    expect(withCrop(cropped, crop)).toBe(cropped);
    expect(withCrop(cropped, { x: 0, y: 0, ...picture }).crop).toBeNull();
  });

  it('BUG-3: a mark that is put where it is changes nothing, and no two marks share an id', () => {
    const box = { x: 1, y: 2, width: 30, height: 40 };
    let work = withMark(untouched(picture), { kind: 'highlight', ...box });
    expect(withMarkAs(work, { id: 1, kind: 'highlight', ...box })).toBe(work);
    expect(withMarkAs(work, { id: 1, kind: 'highlight', ...box, x: 9 }).marks[0]?.x).toBe(9);
    work = withMark(work, { kind: 'redaction', ...box });
    work = withMark(withoutMark(work, 1), { kind: 'highlight', ...box });
    expect(work.marks.map(({ id }) => id)).toEqual([2, 3]);
  });

  it('BUG-3: numbers count up by themselves, and are counted again when one is deleted', () => {
    let work = untouched(picture);
    for (const x of [10, 20, 30]) work = withMark(work, { ...shapes.number, x });
    const numbers = () => drawnMarks(work.marks).map(({ mark, number }) => [mark.x, number]);
    work = withMark(work, { kind: 'highlight', x: 0, y: 0, width: 9, height: 9 });
    expect(numbers()).toEqual([
      [10, 1],
      [20, 2],
      [30, 3],
      [0, 1],
    ]);
    work = withoutMark(work, 1);
    expect(numbers().slice(0, 2)).toEqual([
      [20, 1],
      [30, 2],
    ]);
  });
});

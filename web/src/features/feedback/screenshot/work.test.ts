import { describe, expect, it } from 'vitest';
import {
  drawnMarks,
  regionOf,
  untouched,
  visibleMarks,
  withCrop,
  withMark,
  withMarkAt,
  withoutMark,
} from './work.ts';

const picture = { width: 1000, height: 500 };
const crop = { x: 100, y: 50, width: 400, height: 200 };

describe('BUG-3: what is done to a picture', () => {
  it('BUG-3: marks stay at their place in the picture when it is cropped, and when the crop is taken back', () => {
    const marked = withMark(untouched(picture), 'highlight', {
      x: 150,
      y: 60,
      width: 30,
      height: 20,
    });
    const cropped = withCrop(marked, crop);
    expect(drawnMarks(cropped)).toEqual([{ id: 1, kind: 'highlight', x: 50, y: 10, width: 30, height: 20 }]);
    expect(drawnMarks(withCrop(cropped, { x: 0, y: 0, ...picture }))).toEqual(marked.marks);
  });

  it('BUG-3: a mark outside the crop is neither shown nor drawn, and appears again with a larger crop', () => {
    const marked = withMark(untouched(picture), 'redaction', {
      x: 900,
      y: 400,
      width: 50,
      height: 50,
    });
    const cropped = withCrop(marked, crop);
    expect(visibleMarks(cropped)).toEqual([]);
    expect(drawnMarks(cropped)).toEqual([]);
    expect(visibleMarks({ ...cropped, crop: null })).toHaveLength(1);
  });

  it('BUG-3: nothing is drawn over what is blacked out', () => {
    let work = withMark(untouched(picture), 'redaction', { x: 0, y: 0, width: 50, height: 50 });
    work = withMark(work, 'highlight', { x: 0, y: 0, width: 60, height: 60 });
    expect(drawnMarks(work).map(({ kind }) => kind)).toEqual(['highlight', 'redaction']);
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
    let work = withMark(untouched(picture), 'highlight', box);
    expect(withMarkAt(work, 1, box)).toBe(work);
    expect(withMarkAt(work, 1, { ...box, x: 9 }).marks[0]?.x).toBe(9);
    work = withMark(work, 'redaction', box);
    work = withMark(withoutMark(work, 1), 'highlight', box);
    expect(work.marks.map(({ id }) => id)).toEqual([2, 3]);
  });
});

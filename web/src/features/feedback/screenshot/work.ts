import { meet, type Rect, sameRect, type Size, whole } from './geometry.ts';

/** A coloured frame, or a black box that hides what is under it. */
export type MarkKind = 'highlight' | 'redaction';

/** In whole pixels of the picture as it was taken, whatever is cropped. */
export type Mark = Rect & { readonly id: number; readonly kind: MarkKind };

/** A picture and its edits; they are drawn into it only for sending. */
export type Work<Base extends Size = Size> = {
  readonly base: Base;
  /** The part that the crop selects; null is all of it. */
  readonly crop: Rect | null;
  readonly marks: readonly Mark[];
};

export function untouched<Base extends Size>(base: Base): Work<Base> {
  return { base, crop: null, marks: [] };
}

/** The part of the picture that the crop selects. */
export function regionOf(work: Work): Rect {
  return work.crop ?? whole(work.base);
}

/** The marks that can be seen in the crop, in the order in which they were made. */
export function visibleMarks(work: Work): readonly Mark[] {
  const region = regionOf(work);
  return work.marks.filter((mark) => meet(mark, region));
}

/** Returns the same object if nothing changes. */
export function withCrop<Base extends Size>(work: Work<Base>, crop: Rect): Work<Base> {
  if (sameRect(crop, regionOf(work))) return work;
  return { ...work, crop: sameRect(crop, whole(work.base)) ? null : crop };
}

/** The new mark is the last one. */
export function withMark<Base extends Size>(work: Work<Base>, kind: MarkKind, rect: Rect): Work<Base> {
  const id = 1 + Math.max(0, ...work.marks.map((mark) => mark.id));
  const { x, y, width, height } = rect;
  return { ...work, marks: [...work.marks, { id, kind, x, y, width, height }] };
}

/** Returns the same object if nothing changes. */
export function withMarkAt<Base extends Size>(work: Work<Base>, id: number, rect: Rect): Work<Base> {
  const { x, y, width, height } = rect;
  if (work.marks.every((mark) => mark.id !== id || sameRect(mark, rect))) return work;
  return {
    ...work,
    marks: work.marks.map((mark) => (mark.id === id ? { ...mark, x, y, width, height } : mark)),
  };
}

export function withoutMark<Base extends Size>(work: Work<Base>, id: number): Work<Base> {
  return { ...work, marks: work.marks.filter((mark) => mark.id !== id) };
}

/** What to draw over the crop, in its own pixels, redactions last: nothing may show on top of one. */
export function drawnMarks(work: Work): readonly Mark[] {
  const region = regionOf(work);
  return visibleMarks(work)
    .map((mark) => ({ ...mark, x: mark.x - region.x, y: mark.y - region.y }))
    .toSorted((a, b) => Number(a.kind === 'redaction') - Number(b.kind === 'redaction'));
}

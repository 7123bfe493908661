import { type Grip, meet, type Rect, sameRect, type Size, whole } from './geometry.ts';

/** A mark without its id: its kind, and its rectangle in the picture as it was taken. */
export type Shape = Rect &
  (
    | { readonly kind: 'highlight' | 'redaction' }
    /** A square around a number, which is counted from its place among the others. */
    | { readonly kind: 'number' }
    /** An arrow from one corner of the rectangle to the opposite corner, `tip`. */
    | { readonly kind: 'arrow'; readonly tip: Corner }
    /** `size` is that of the letters in pixels; `lines` are the text as it is drawn. */
    | {
        readonly kind: 'text';
        readonly text: string;
        readonly size: number;
        readonly lines: readonly string[];
      }
  );

export type Corner = Grip & { readonly x: -1 | 1; readonly y: -1 | 1 };

/**
 * A frame, an arrow, a text or a number over the picture, or a black box that hides what is under it. Its
 * place is in whole pixels of the uncropped picture.
 */
export type Mark = Shape & { readonly id: number };
export type MarkKind = Shape['kind'];

/** A picture and its edits; the edits are drawn into the picture only for sending. */
export type Work<Base extends Size = Size> = {
  readonly base: Base;
  /** The part that the crop selects; null is all of it. */
  readonly crop: Rect | null;
  readonly marks: readonly Mark[];
  /** The address of the page on which the picture was taken or added. */
  readonly address?: string | undefined;
};

export function untouched<Base extends Size>(base: Base, address?: string): Work<Base> {
  return { base, crop: null, marks: [], address };
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
export function withMark<Base extends Size>(work: Work<Base>, shape: Shape): Work<Base> {
  const id = 1 + Math.max(0, ...work.marks.map((mark) => mark.id));
  return { ...work, marks: [...work.marks, { ...shape, id }] };
}

/** Replaces one mark by its new state. Returns the same object if nothing changes. */
export function withMarkAs<Base extends Size>(work: Work<Base>, next: Mark): Work<Base> {
  if (work.marks.every((mark) => mark.id !== next.id || isSame(mark, next))) return work;
  return { ...work, marks: work.marks.map((mark) => (mark.id === next.id ? next : mark)) };
}

function isSame(one: Mark, other: Mark): boolean {
  if (!sameRect(one, other)) return false;
  if (one.kind === 'arrow' && other.kind === 'arrow')
    return one.tip.x === other.tip.x && one.tip.y === other.tip.y;
  return (
    !(one.kind === 'text' && other.kind === 'text') || (one.text === other.text && one.size === other.size)
  );
}

/** A text that nothing has been typed into yet. */
export function isBlankText(mark: Mark): boolean {
  return mark.kind === 'text' && mark.text.trim() === '';
}

export function withoutMark<Base extends Size>(work: Work<Base>, id: number): Work<Base> {
  return { ...work, marks: work.marks.filter((mark) => mark.id !== id) };
}

/** Numbers the marks of each kind, counted from 1 in the order in which they were made. */
export function countedMarks<M extends Mark>(marks: readonly M[]): readonly { mark: M; number: number }[] {
  const counts = new Map<MarkKind, number>();
  return marks.map((mark) => {
    const number = 1 + (counts.get(mark.kind) ?? 0);
    counts.set(mark.kind, number);
    return { mark, number };
  });
}

/** The numbered marks in the order in which they are drawn, redactions last: nothing may cover a redaction. */
export function drawnMarks(marks: readonly Mark[]): readonly { mark: Mark; number: number }[] {
  return countedMarks(marks).toSorted(
    (a, b) => Number(a.mark.kind === 'redaction') - Number(b.mark.kind === 'redaction'),
  );
}

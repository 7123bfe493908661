import {
  atLeast,
  clamp,
  contain,
  type Grip,
  grow,
  leastInPicture,
  move,
  outward,
  type Point,
  type Rect,
  resize,
  type Size,
  smallestMark,
  span,
} from './geometry.ts';
import type { Corner, Mark, MarkKind, Shape } from './work.ts';

/** The least size of a new number and of a new text's letters, in CSS pixels as displayed. */
const smallestNumber = 28;
const smallestText = 18;
/** The most places that are tried for a mark that is added without a pointer. */
const mostTries = 200;
/** The least size to which letters can be reduced, in CSS pixels. */
const leastText = 9;

/** How large marks are made, for the size at which the picture is displayed; all in pixels of the picture. */
export type Measures = {
  /** The smallest mark. */
  readonly least: Size;
  readonly number: number;
  readonly text: number;
  readonly smallestText: number;
};

/**
 * Breaks a text into the lines in which it is drawn, and measures them; `size` is reduced if the lines are
 * higher than `most`.
 */
export type LayText = (
  text: string,
  size: number,
  most: Size,
) => Size & { readonly lines: readonly string[]; readonly size: number };

/**
 * @param displayed the size at which `region` is displayed, in CSS pixels
 * @param base the whole picture
 */
export function measuresFor(displayed: Size, region: Rect, base: Size): Measures {
  const inPicture = (side: number) => leastInPicture(side, displayed, region);
  const long = Math.max(base.width, base.height);
  return {
    least: inPicture(smallestMark),
    number: Math.max(inPicture(smallestNumber).height, Math.round(long / 40)),
    text: Math.max(inPicture(smallestText).height, Math.round(long / 50)),
    smallestText: inPicture(leastText).height,
  };
}

/** Whether a press places a mark of this kind; other kinds are drawn from one point to another. */
export function isPlaced(kind: MarkKind): boolean {
  return kind === 'number' || kind === 'text';
}

/** The mark that a pointer draws from one point to another; a mark that is placed stands at the second point. */
export function drawnShape(kind: MarkKind, from: Point, to: Point, bounds: Rect, measures: Measures): Shape {
  switch (kind) {
    case 'number':
      return numberAt(to, measures.number, bounds);
    case 'text':
      return blankText(to, measures.text, bounds);
    case 'arrow':
      return arrowBetween(from, to, bounds);
    case 'highlight':
    case 'redaction':
      return { kind, ...grow(outward(span(from, to, bounds)), measures.least, bounds) };
  }
}

/**
 * A mark that is added without a pointer: in the middle, next to existing marks of its kind.
 *
 * @param box the place of a frame or an arrow
 */
export function addedShape(
  kind: MarkKind,
  box: Rect,
  bounds: Rect,
  measures: Measures,
  marks: readonly Mark[],
): Shape {
  if (isPlaced(kind)) {
    const place = freePlace(kind, bounds, measures, marks);
    return drawnShape(kind, place, place, bounds, measures);
  }
  const { x, y, width, height } = box;
  // An arrow points upwards.
  const [from, to] = kind === 'arrow' ? [y + height, y] : [y, y + height];
  return drawnShape(kind, { x, y: from }, { x: x + width, y: to }, bounds, measures);
}

/** The middle, or the first free place to the right of and below the marks that are there. */
function freePlace(kind: MarkKind, bounds: Rect, measures: Measures, marks: readonly Mark[]): Point {
  const aside = measures[kind === 'text' ? 'text' : 'number'] * 1.5;
  const { x, y } = centre(bounds);
  const taken = marks.filter((mark) => mark.kind === kind).map(centre);
  const isFree = (place: Point) =>
    taken.every((other) => Math.hypot(other.x - place.x, other.y - place.y) >= aside / 2);
  const perRow = Math.max(1, Math.floor((bounds.x + bounds.width - x) / aside));
  const places = Array.from({ length: mostTries }, (_, index) => ({
    x: x + (index % perRow) * aside,
    y: y + Math.floor(index / perRow) * aside,
  }));
  return places.find(isFree) ?? { x, y };
}

function centre({ x, y, width, height }: Rect): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

function numberAt({ x, y }: Point, side: number, bounds: Rect): Shape {
  const size = Math.round(Math.min(side, bounds.width, bounds.height));
  const square = { x: Math.round(x - size / 2), y: Math.round(y - size / 2), width: size, height: size };
  return { kind: 'number', ...contain(square, bounds) };
}

function blankText({ x, y }: Point, size: number, bounds: Rect): Shape {
  const fitting = Math.round(Math.min(size, bounds.height / 2));
  const box = {
    x: Math.round(x),
    y: Math.round(y - fitting / 2),
    width: fitting * 2,
    height: Math.round(fitting * 1.4),
  };
  return { kind: 'text', text: '', size: fitting, lines: [], ...contain(box, bounds) };
}

/** An arrow at least one pixel wide and high, so that a horizontal arrow can be seen and pressed too. */
export function arrowBetween(tail: Point, tip: Point, bounds: Rect): Shape & { kind: 'arrow' } {
  const rect = atLeast(outward(span(tail, tip, bounds)), { width: 1, height: 1 }, bounds);
  return { kind: 'arrow', tip: { x: tip.x < tail.x ? -1 : 1, y: tip.y < tail.y ? -1 : 1 }, ...rect };
}

/** Where an arrow begins and where its tip is. */
export function endsOf({ tip, ...rect }: Rect & { readonly tip: Corner }): { tail: Point; tip: Point } {
  const { x, y, width, height } = rect;
  const at = (corner: Corner) => ({
    x: corner.x === 1 ? x + width : x,
    y: corner.y === 1 ? y + height : y,
  });
  return { tail: at({ x: tip.x === 1 ? -1 : 1, y: tip.y === 1 ? -1 : 1 }), tip: at(tip) };
}

export function moved(mark: Mark, by: Point, bounds: Rect): Mark {
  return { ...mark, ...move(mark, by, bounds) };
}

/** The text mark with other words, as large as the words need. */
export function reworded(mark: Mark & { kind: 'text' }, text: string, bounds: Rect, lay: LayText): Mark {
  if (text === '') return { ...mark, text, lines: [] };
  const { width, height, lines, size } = lay(text, mark.size, bounds);
  const box = { x: mark.x, y: mark.y, width: Math.ceil(width), height: Math.ceil(height) };
  return { ...mark, ...contain(box, bounds), text, size, lines };
}

/**
 * Moves a corner or side of a mark: a frame becomes larger or smaller, a number stays square, the letters of a
 * text grow with it, and the end of an arrow at that corner moves.
 */
export function resized(
  mark: Mark,
  grip: Grip,
  by: Point,
  bounds: Rect,
  measures: Measures,
  lay: LayText,
): Mark {
  switch (mark.kind) {
    case 'arrow': {
      const { tail, tip } = endsOf(mark);
      const isTip = grip.x === mark.tip.x && grip.y === mark.tip.y;
      const far = (point: Point) => ({ x: point.x + by.x, y: point.y + by.y });
      return { ...mark, ...arrowBetween(isTip ? tail : far(tail), isTip ? far(tip) : tip, bounds) };
    }
    case 'number': {
      const { width, height } = resize(mark, grip, by, bounds, measures.least);
      const wanted = Math.round(grip.x === 0 ? height : grip.y === 0 ? width : Math.max(width, height));
      const side = Math.min(wanted, bounds.width, bounds.height);
      return { ...mark, ...anchored(mark, grip, { width: side, height: side }, bounds) };
    }
    case 'text': {
      const { width, height } = resize(mark, grip, by, bounds, measures.least);
      const across = width / mark.width;
      const down = height / mark.height;
      const factor = grip.x === 0 ? down : grip.y === 0 ? across : Math.max(across, down);
      const size = clamp(
        mark.size * factor,
        measures.smallestText,
        Math.max(measures.smallestText, bounds.height / 2),
      );
      const laid = lay(mark.text, size, bounds);
      const box = { width: Math.max(1, Math.ceil(laid.width)), height: Math.max(1, Math.ceil(laid.height)) };
      return { ...mark, size: laid.size, lines: laid.lines, ...anchored(mark, grip, box, bounds) };
    }
    case 'highlight':
    case 'redaction':
      return { ...mark, ...resize(mark, grip, by, bounds, measures.least) };
  }
}

/** The corner opposite of `grip` stays where it is, as far as the bounds allow. */
function anchored(mark: Rect, grip: Grip, { width, height }: Size, bounds: Rect): Rect {
  const x = grip.x === -1 ? mark.x + mark.width - width : mark.x;
  const y = grip.y === -1 ? mark.y + mark.height - height : mark.y;
  return contain({ x, y, width, height }, bounds);
}

/** The corners and ends by which a mark is resized. */
export function gripsOf(mark: Mark): readonly Grip[] {
  if (mark.kind === 'number') return [{ x: 1, y: 1 }];
  if (mark.kind === 'arrow')
    return [{ x: mark.tip.x === 1 ? -1 : 1, y: mark.tip.y === 1 ? -1 : 1 }, mark.tip];
  return [
    { x: -1, y: -1 },
    { x: 1, y: -1 },
    { x: -1, y: 1 },
    { x: 1, y: 1 },
  ];
}

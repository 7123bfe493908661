import type { Picture } from '../picture.ts';
import { frameWidth, type Rect, scaleToSend, type Size } from './geometry.ts';
import { endsOf, type LayText } from './mark-shapes.ts';
import { type Base, sized } from './read-picture.ts';
import { drawnMarks, isBlankText, type Mark, regionOf, visibleMarks, type Work } from './work.ts';

/** The server's limit is on the whole report, in which a picture in base64 is a third larger. */
const heaviestPicture = 8 * 1024 * 1024;

/**
 * The picture as it is sent: cropped, with its marks drawn in. Under a black box nothing of the picture is
 * left.
 *
 * @throws where the browser cannot make a PNG of it
 */
export async function drawWork(work: Work<Base>): Promise<Picture> {
  const canvas = burnIn(work);
  let size: Size = canvas;
  let blob = await toPng(canvas);
  // The PNG is made first, since only it shows how many bytes a pixel needs. A browser without enough memory
  // makes none.
  for (let tries = 0; (blob === null || blob.size > heaviestPicture) && tries < 8; tries += 1) {
    const factor = blob === null ? 0.7 : Math.min(0.9, Math.sqrt(heaviestPicture / blob.size) * 0.95);
    size = scaleToSend(size, factor);
    blob = await toPng(resized(canvas, size));
  }
  if (blob === null || blob.size > heaviestPicture) throw new Error('the browser made no png');
  return { blob, filename: 'screenshot.png', width: size.width, height: size.height };
}

function burnIn(work: Work<Base>): HTMLCanvasElement {
  const region = regionOf(work);
  const canvas = document.createElement('canvas');
  const context = sized(canvas, region);
  drawRegion(context, work.base, region);
  context.translate(-region.x, -region.y);
  drawMarks(context, work.base, visibleMarks(work));
  return canvas;
}

/** Draws the part `region` of a picture over the whole canvas of `context`. */
export function drawRegion(context: CanvasRenderingContext2D, base: Base, region: Rect): void {
  const { width, height } = context.canvas;
  context.drawImage(base.canvas, region.x, region.y, region.width, region.height, 0, 0, width, height);
}

function resized(canvas: HTMLCanvasElement, size: Size): HTMLCanvasElement {
  const smaller = document.createElement('canvas');
  sized(smaller, size).drawImage(canvas, 0, 0, size.width, size.height);
  return smaller;
}

function toPng(canvas: HTMLCanvasElement): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** A colour with a contrast of 4.5:1 on white and on black alike. */
const markColour = '#e6007e';
/** The edge of marks, so that they stand out from a picture of the same colour. */
const haloColour = '#ffffff';
const redactionColour = '#000000';

const lineHeight = 1.25;

const fontOf = (size: number) => `600 ${size}px system-ui, sans-serif`;

type Context = CanvasRenderingContext2D;

/**
 * Draws marks over a picture, redactions last. Under a black box nothing of the picture and of other marks is
 * left.
 *
 * @param context its coordinates are those of the picture as it was taken
 */
export function drawMarks(context: Context, base: Size, marks: readonly Mark[]): void {
  const thick = frameWidth(base);
  const halo = Math.max(1, Math.round(thick / 3));
  context.lineJoin = 'round';
  context.lineCap = 'round';
  for (const { mark, number } of drawnMarks(marks)) {
    switch (mark.kind) {
      case 'redaction':
        context.fillStyle = redactionColour;
        context.fillRect(mark.x, mark.y, mark.width, mark.height);
        break;
      case 'highlight':
        stroke(context, thick, halo, () => context.rect(mark.x, mark.y, mark.width, mark.height));
        break;
      case 'arrow':
        drawArrow(context, mark, thick, halo);
        break;
      case 'number':
        drawNumber(context, mark, number, halo);
        break;
      case 'text':
        if (!isBlankText(mark)) drawText(context, mark);
        break;
    }
  }
}

function stroke(context: Context, thick: number, halo: number, path: () => void): void {
  for (const [colour, width] of [
    [haloColour, thick + 2 * halo],
    [markColour, thick],
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    path();
    context.stroke();
  }
}

function drawArrow(context: Context, mark: Mark & { kind: 'arrow' }, thick: number, halo: number): void {
  const { tail, tip } = endsOf(mark);
  const angle = Math.atan2(tip.y - tail.y, tip.x - tail.x);
  const length = Math.hypot(tip.x - tail.x, tip.y - tail.y);
  const barb = Math.min(thick * 5, Math.max(thick * 2, length / 2));
  stroke(context, thick, halo, () => {
    context.moveTo(tail.x, tail.y);
    context.lineTo(tip.x, tip.y);
    for (const turn of [-1, 1]) {
      const back = angle + Math.PI + (turn * Math.PI) / 6;
      context.moveTo(tip.x, tip.y);
      context.lineTo(tip.x + barb * Math.cos(back), tip.y + barb * Math.sin(back));
    }
  });
}

function drawNumber(context: Context, { x, y, width, height }: Mark, number: number, halo: number): void {
  const radius = Math.min(width, height) / 2;
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  for (const [colour, reach] of [
    [haloColour, radius],
    [markColour, Math.max(1, radius - halo)],
  ] as const) {
    context.fillStyle = colour;
    context.beginPath();
    context.arc(middleX, middleY, reach, 0, 2 * Math.PI);
    context.fill();
  }
  const figures = String(number);
  context.fillStyle = haloColour;
  context.font = fontOf(radius * (figures.length > 2 ? 0.75 : figures.length === 2 ? 1 : 1.2));
  context.direction = 'ltr';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  // The middle of a line of text is a little above the middle of its figures.
  context.fillText(figures, middleX, middleY + radius * 0.07);
}

function drawText(context: Context, { x, y, width, size, text, lines }: Mark & { kind: 'text' }): void {
  const isRightToLeft = directionOf(text) === 'rtl';
  context.font = fontOf(size);
  context.direction = isRightToLeft ? 'rtl' : 'ltr';
  context.textAlign = isRightToLeft ? 'right' : 'left';
  context.textBaseline = 'middle';
  context.strokeStyle = haloColour;
  context.lineWidth = size / 4;
  context.fillStyle = markColour;
  const left = x + paddingOf(size);
  const right = x + width - paddingOf(size);
  for (const paint of ['strokeText', 'fillText'] as const)
    for (const [index, line] of lines.entries()) {
      const middle = y + paddingOf(size) + (index + 0.5) * size * lineHeight;
      context[paint](line, isRightToLeft ? right : left, middle);
    }
}

function paddingOf(size: number): number {
  return size / 4;
}

const rightToLeft =
  /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The direction of a text by its first letter, as in fields with `dir="auto"`. */
function directionOf(text: string): 'ltr' | 'rtl' {
  return rightToLeft.test(text) ? 'rtl' : 'ltr';
}

/** @returns a function that measures texts on a canvas of its own */
export function createLayText(): LayText {
  const context = document.createElement('canvas').getContext('2d');
  const segmenter = new Intl.Segmenter();

  function wrapped(text: string, size: number, most: number): string[] {
    if (context === null) return [text];
    context.font = fontOf(size);
    const fits = (line: string) => context.measureText(line).width <= most;
    const lines: string[] = [];
    let line = '';
    for (const word of text.trim().split(/\s+/)) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (fits(longer)) line = longer;
      else {
        if (line !== '') lines.push(line);
        line = '';
        // A word that is too long for a line is broken between its letters.
        for (const { segment } of segmenter.segment(word)) {
          if (line !== '' && !fits(line + segment)) {
            lines.push(line);
            line = '';
          }
          line += segment;
        }
      }
    }
    return [...lines, line];
  }

  return (text, size, most) => {
    let lines = wrapped(text, size, most.width - 2 * paddingOf(size));
    let fitting = size;
    const heightOf = () => lines.length * fitting * lineHeight + 2 * paddingOf(fitting);
    // The letters become smaller where the text is higher than the picture.
    for (let tries = 0; tries < 40 && heightOf() > most.height; tries += 1) {
      fitting *= 0.9;
      lines = wrapped(text, fitting, most.width - 2 * paddingOf(fitting));
    }
    const widths = lines.map((line) => context?.measureText(line).width ?? 0);
    return { lines, size: fitting, width: Math.max(...widths) + 2 * paddingOf(fitting), height: heightOf() };
  };
}

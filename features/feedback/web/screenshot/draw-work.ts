import type { Picture } from '../picture.ts';
import { drawMarks } from './draw-marks.ts';
import { type Rect, scaleToSend, type Size } from './geometry.ts';
import { type Base, sized } from './read-picture.ts';
import { regionOf, visibleMarks, type Work } from './work.ts';

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
  // Measured first: only the PNG shows how many bytes a pixel needs. A browser without enough memory returns
  // none.
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

import { type RefObject, useLayoutEffect, useRef } from 'react';
import { drawMarks, drawRegion } from './draw-work.ts';
import { type Rect, scale, type Size } from './geometry.ts';
import { type Base, sized } from './read-picture.ts';
import type { Mark } from './work.ts';

/** Sharp enough for the widest dialog, with half the memory of the picture that is sent. */
const sharpestDisplay = 2048;

type PictureCanvasProps = {
  canvas: RefObject<HTMLCanvasElement | null>;
  base: Base;
  region: Rect;
  label: string;
};

/** A part of the picture. A canvas and not an image: pages may forbid images that are made in the browser. */
export function PictureCanvas({ canvas, base, region, label }: PictureCanvasProps) {
  const { x, y, width, height } = region;
  useLayoutEffect(() => {
    if (canvas.current === null) return;
    const factor = Math.min(1, sharpestDisplay / Math.max(width, height));
    const context = sized(canvas.current, scale({ width, height }, factor));
    drawRegion(context, base, { x, y, width, height });
  }, [canvas, base, x, y, width, height]);
  return <canvas ref={canvas} className="shot-canvas" role="img" aria-label={label} />;
}

/** The size at which a canvas is displayed, in CSS pixels. */
export function displayedSize(canvas: HTMLCanvasElement | null): Size {
  const { width = 0, height = 0 } = canvas?.getBoundingClientRect() ?? {};
  return { width: Math.max(1, width), height: Math.max(1, height) };
}

/** The marks, drawn as they will be drawn into the picture. */
export function MarkCanvas({ base, region, marks }: { base: Size; region: Rect; marks: readonly Mark[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { x, y, width, height } = region;
  useLayoutEffect(() => {
    if (canvas.current === null) return;
    const factor = Math.min(1, sharpestDisplay / Math.max(width, height));
    const context = sized(canvas.current, scale({ width, height }, factor));
    context.scale(factor, factor);
    context.translate(-x, -y);
    drawMarks(context, base, marks);
  }, [base, marks, x, y, width, height]);
  return <canvas ref={canvas} className="shot-shapes" aria-hidden="true" />;
}

import { type RefObject, useLayoutEffect } from 'react';
import { drawRegion, highlightColour, redactionColour } from './draw-work.ts';
import { frameWidth, type Rect, scale, type Size } from './geometry.ts';
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
    drawRegion(sized(canvas.current, scale({ width, height }, factor)), base, {
      x,
      y,
      width,
      height,
    });
  }, [canvas, base, x, y, width, height]);
  return <canvas ref={canvas} className="shot-canvas" role="img" aria-label={label} />;
}

/** The size at which it is displayed, in CSS pixels. */
export function displayedSize(canvas: HTMLCanvasElement | null): Size {
  const { width = 0, height = 0 } = canvas?.getBoundingClientRect() ?? {};
  return { width: Math.max(1, width), height: Math.max(1, height) };
}

type MarkShapesProps = { base: Size; region: Rect; marks: readonly Mark[] };

/** The marks as they will be drawn into the picture. */
export function MarkShapes({ base, region, marks }: MarkShapesProps) {
  const shapes = (kind: Mark['kind']) => marks.filter((mark) => mark.kind === kind);
  return (
    <svg
      className="shot-shapes"
      viewBox={`${region.x} ${region.y} ${region.width} ${region.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {shapes('highlight').map(({ id, x, y, width, height }) => (
        <rect
          key={id}
          x={x}
          y={y}
          width={width}
          height={height}
          fill="none"
          stroke={highlightColour}
          strokeWidth={frameWidth(base)}
          strokeLinejoin="round"
        />
      ))}
      {shapes('redaction').map(({ id, x, y, width, height }) => (
        <rect key={id} x={x} y={y} width={width} height={height} fill={redactionColour} />
      ))}
    </svg>
  );
}

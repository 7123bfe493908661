/** A square of a picture, in the picture's own pixels. */
export type Square = { readonly x: number; readonly y: number; readonly side: number };
export type Size = { readonly width: number; readonly height: number };

/** The smallest square, as a share of the shorter side. */
export const smallestPart = 0.1;

/** The largest square, in the middle. */
export function largestSquare({ width, height }: Size): Square {
  const side = Math.min(width, height);
  return { x: (width - side) / 2, y: (height - side) / 2, side };
}

/** The nearest square inside the picture, and no smaller than the smallest. */
export function within(picture: Size, square: Square): Square {
  const longest = Math.min(picture.width, picture.height);
  const side = clamp(square.side, longest * smallestPart, longest);
  return {
    side,
    x: clamp(square.x, 0, picture.width - side),
    y: clamp(square.y, 0, picture.height - side),
  };
}

/** Another size around the same middle. */
export function resized(picture: Size, { x, y, side }: Square, next: number): Square {
  const half = (side - next) / 2;
  return within(picture, { x: x + half, y: y + half, side: next });
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), Math.max(least, most));
}

/** A square in percent of the picture, as the crop frame expects it. */
export function toPercent({ width, height }: Size, { x, y, side }: Square) {
  return {
    unit: '%' as const,
    x: (x / width) * 100,
    y: (y / height) * 100,
    width: (side / width) * 100,
    height: (side / height) * 100,
  };
}

export function fromPercent(picture: Size, crop: { x: number; y: number; width: number }): Square {
  return within(picture, {
    x: (crop.x / 100) * picture.width,
    y: (crop.y / 100) * picture.height,
    side: (crop.width / 100) * picture.width,
  });
}

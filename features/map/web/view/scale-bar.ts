/** The length of a scale bar: the longest round one that fits. */
export type ScaleBar = { metres: number; pixels: number };

/**
 * @param resolution metres on the ground for a pixel
 * @param room pixels
 */
export function scaleBar(resolution: number, room: number): ScaleBar {
  const longest = resolution * room;
  const power = 10 ** Math.floor(Math.log10(longest));
  const metres = ([5, 2, 1].find((step) => step * power <= longest) ?? 1) * power;
  return { metres, pixels: metres / resolution };
}

/** The scale's denominator, as in `1 : 250,000`, for pixels of 0.28 mm (OGC), rounded to two figures. */
export function scaleDenominator(resolution: number): number {
  const exact = resolution / 0.000_28;
  const power = 10 ** Math.max(0, Math.floor(Math.log10(exact)) - 1);
  return Math.round(exact / power) * power;
}

/**
 * A copy of the list with one entry moved. Places beyond the ends count as the ends.
 *
 * @param to the place of the entry afterwards
 */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const entry = list[from];
  if (entry === undefined) return [...list];
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(Math.max(0, Math.min(rest.length, to)), 0, entry);
}

/**
 * Where a dragged entry would stand.
 *
 * @param middles the middle of each entry, from top to bottom, in pixels
 * @param at where the pointer is, in pixels
 */
export function placeAt(middles: readonly number[], from: number, at: number): number {
  const above = middles.filter((middle, index) => index !== from && middle < at);
  return above.length;
}

/**
 * A copy with one entry at another place. Places beyond the ends count as the ends.
 *
 * @param to where it stands afterwards
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
 * @param at the pointer
 */
export function placeAt(middles: readonly number[], from: number, at: number): number {
  const above = middles.filter((middle, index) => index !== from && middle < at);
  return above.length;
}

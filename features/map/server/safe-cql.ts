/*
 * `CQL_FILTER` narrows what is drawn of a layer. Map servers also know functions in it that read other layers
 * (GeoServer: `querySingle`, `queryCollection`), so only operators and shapes pass.
 */

const longest = 100_000;
/** The deepest nesting of parentheses, which map servers read by recursion. */
const deepest = 100;

/** Words that may stand before a parenthesis. */
const mayOpen = new Set(
  (
    'and or not in bbox intersects within contains disjoint touches crosses overlaps equals dwithin beyond relate ' +
    'point linestring polygon multipoint multilinestring multipolygon geometrycollection envelope srid ' +
    's_intersects s_within s_contains s_disjoint s_touches s_crosses s_overlaps s_equals ' +
    't_after t_before t_during timestamp date interval'
  ).split(' '),
);

/** A text in quotes, a name in double quotes, a name, a number, or a sign. */
const token = /\s+|'(?:[^']|'')*'|"[^"]*"|[\p{L}_][\p{L}\p{N}_.:]*|\d[\d.eE+-]*|[-+*/=<>(),;.:]/gsuy;

/** Whether a filter reads nothing but the layer to which it is applied. */
export function isSafeFilter(text: string): boolean {
  // No dialect is known to have comments; one that had could hide what stands before a parenthesis.
  if (text.length > longest || /\/\*|--/.test(text)) return false;
  let before = '';
  let level = 0;
  let at = 0;
  token.lastIndex = 0;
  while (at < text.length) {
    const found = token.exec(text)?.[0];
    if (found === undefined) return false;
    at += found.length;
    if (found.trim() === '') continue;
    if (found === '(' && (!mayStandBefore(before) || level >= deepest)) return false;
    level += found === '(' ? 1 : found === ')' ? -1 : 0;
    before = found;
  }
  return true;
}

/** Whether a parenthesis may follow: after a parenthesis, an operator or a word above, never after a quoted name. */
function mayStandBefore(before: string): boolean {
  return before === '' || /^[-+*/=<>(,;]$/.test(before) || mayOpen.has(before.toLowerCase());
}

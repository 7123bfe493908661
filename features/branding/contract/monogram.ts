import { accentPalette } from './accent.ts';

/** Portico's own accent, for a name without a colour. */
const ownAccent = '#0b5e63';

/**
 * The mark of an installation that has a name of its own and no picture for it: the name's first letter on the
 * accent colour, as SVG. Portico's own mark would stand next to a foreign name otherwise.
 *
 * @param accent `#rrggbb`, or null: Portico's own
 */
export function monogramOf(name: string, accent: string | null): string {
  const { accent: ground, ink } = accentPalette(accent ?? ownAccent).light;
  const [letter = ''] = name.trim();
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">' +
    `<rect width="24" height="24" rx="5.5" fill="${ground}"/>` +
    '<text x="12" y="12" dy=".36em" font-family="system-ui,sans-serif" font-size="14" font-weight="650" ' +
    `text-anchor="middle" fill="${ink}">&#${letter.toUpperCase().codePointAt(0) ?? 63};</text></svg>`
  );
}

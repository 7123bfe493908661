/** Characters of an excerpt, as JavaScript counts them. */
const length = 140;
const ellipsis = '…';

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The beginning of a message on one line, cut between two grapheme clusters (Unicode, annex 29). */
export function excerptOf(message: string): string {
  // More than enough for the excerpt and the letter that is cut off, whatever blanks there are.
  const line = message
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, length * 4);
  if (line.length <= length) return line;
  const start = letters.segment(line).containing(length - ellipsis.length)?.index ?? 0;
  // One letter with thousands of accents may be longer than the excerpt: it is cut inside.
  const end = start === 0 ? length - ellipsis.length : start;
  return (
    line
      .slice(0, end)
      .toWellFormed()
      .replace(/\uFFFD$/, '')
      .trimEnd() + ellipsis
  );
}

/** Of a message so much is looked at for its template. */
const mostLooked = 1_000;

/**
 * What changes from one event to the next, the longer forms first. Each is one run of a class of signs, or
 * several that cannot stand for each other: none looks at a text more than a few times.
 */
const variables: readonly [RegExp, string][] = [
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'`<>)\]}]+/gi, '<url>'],
  [/\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, '<email>'],
  [
    /"[^"\n]{0,500}"|“[^”\n]{0,500}”|«[^»\n]{0,500}»|`[^`\n]{0,500}`|(?<![\w])'[^'\n]{0,500}'(?![\w])/g,
    '<text>',
  ],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, '<time>'],
  [/(?<![\w/])(?:[A-Za-z]:)?(?:[\\/][\w.@~%+-]{1,100}){2,40}[\\/]?/g, '<path>'],
  [/\b0x[0-9a-f]+\b/gi, '<id>'],
  [/\b(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{6,128}\b/gi, '<id>'],
  [/\b(?=\w*\d)(?=\w*[A-Za-z])\w{16,128}\b/g, '<id>'],
  [/(?<![A-Za-z_])[+-]?\d+(?:[.,:]\d+)*(?:e[+-]?\d+)?/gi, '<n>'],
];

/** A message with placeholders for its variables: equal for events that differ in these alone. */
export function templateOf(message: string): string {
  let text = message.slice(0, mostLooked);
  for (const [pattern, placeholder] of variables) text = text.replaceAll(pattern, placeholder);
  return text.replaceAll(/\s+/g, ' ').trim();
}

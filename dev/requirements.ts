const document = 'docs/requirements.md';
const entry = /^- \*\*(([A-Z]+)-\d{1,2})\*\* \S/gm;
const testFile = /\.(?:test|spec)\.tsx?$/;
// The ids that begin the title of a test: `it('SES-1 SES-2: …'`, `it.each(…)('SES-1, SES-2: …'`.
const title = /(?:\b(?:it|test|describe)(?:\.\w+)*|\))\(\s*['"`]((?:[A-Z]+-\d{1,2}\b[,: ]*)+)/g;
// Areas of what looks like an id, but is the name of a standard or a product.
const noAreas = new Set(['GMT', 'ISO', 'PDF', 'RFC', 'SHA', 'UTF']);

/**
 * Lists requirement ids that are cited without an entry in docs/requirements.md, and entries that no test names, a
 * line for each. An id has the area of an entry, or of an id that begins the title of a test.
 *
 * @param texts the content of each file of the repository, by its path
 */
export function requirementFaults(texts: ReadonlyMap<string, string>): string[] {
  const entries = [...(texts.get(document) ?? '').matchAll(entry)];
  const written = new Set(entries.map(([, id = '']) => id));
  const areas = new Set([...entries.map(([, , area = '']) => area), ...areasOfTitles(texts)]);
  if (areas.size === 0) return [];
  const cited = new RegExp(String.raw`\b(?:${[...areas].join('|')})-\d{1,2}\b`, 'g');
  const tested = new Set<string>();
  const faults: string[] = [];
  for (const [file, text] of texts) {
    if (file === document) continue;
    const ids = new Set([...text.matchAll(cited)].map(([id]) => id));
    for (const id of ids) {
      if (!written.has(id)) faults.push(`${file}: ${id} has no entry in ${document}`);
      if (testFile.test(file)) tested.add(id);
    }
  }
  for (const id of written) if (!tested.has(id)) faults.push(`${document}: no test names ${id}`);
  return faults;
}

function areasOfTitles(texts: ReadonlyMap<string, string>): string[] {
  return [...texts]
    .filter(([file]) => testFile.test(file))
    .flatMap(([, text]) => [...text.matchAll(title)])
    .flatMap(([, ids = '']) => [...ids.matchAll(/[A-Z]+(?=-)/g)].map(([area]) => area))
    .filter((area) => !noAreas.has(area));
}

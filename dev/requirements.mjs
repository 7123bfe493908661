const document = 'docs/requirements.md';
const areas = 'START|SES|PRO|RIGHT|FLAG|MAINT|NOTE|BUG|FILE|MAP|DIAG|CON|AUD|CLI|API|GATE|RUN|LOOK';
const cited = new RegExp(String.raw`\b(?:${areas})-\d{1,2}\b`, 'g');
const entry = new RegExp(String.raw`^- \*\*((?:${areas})-\d{1,2})\*\* \S`, 'gm');

/**
 * Requirement ids that are cited and have no entry in docs/requirements.md, and entries that no test names.
 *
 * @param {ReadonlyMap<string, string>} texts each file of the repository with what it holds
 * @returns {string[]} a line for each find
 */
export function requirementFaults(texts) {
  const written = new Set([...(texts.get(document) ?? '').matchAll(entry)].map(([, id = '']) => id));
  /** @type {Set<string>} */
  const tested = new Set();
  /** @type {string[]} */
  const faults = [];
  for (const [file, text] of texts) {
    if (file === document) continue;
    const ids = new Set([...text.matchAll(cited)].map(([id]) => id));
    for (const id of ids) {
      if (!written.has(id)) faults.push(`${file}: ${id} has no entry in ${document}`);
      if (/\.(?:test|spec)\.tsx?$/.test(file)) tested.add(id);
    }
  }
  for (const id of written) if (!tested.has(id)) faults.push(`${document}: no test names ${id}`);
  return faults;
}

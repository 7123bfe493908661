/** Where a claim stands: the keys that lead to it, from the outside in. */
export type ClaimPath = readonly string[];

/**
 * Reads claim paths as they are configured: keys separated by dots, several paths by commas. A backslash
 * takes the next character as it is, for keys that hold dots or commas: `https://example\.org/roles`.
 *
 * @returns null where it is none: an empty key, or a backslash at the end
 */
export function parseClaimPaths(text: string): ClaimPath[] | null {
  const paths: string[][] = [];
  let keys: string[] = [];
  let key = '';
  const endKey = (): void => {
    keys.push(key.trim());
    key = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '\\') {
      at += 1;
      if (at === text.length) return null;
      key += text[at] ?? '';
    } else if (character === '.') {
      endKey();
    } else if (character === ',') {
      endKey();
      paths.push(keys);
      keys = [];
    } else {
      key += character;
    }
  }
  endKey();
  paths.push(keys);
  return paths.some((path) => path.includes('')) ? null : paths;
}

import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { root } from './prepare.mjs';

/**
 * The download budgets of LOOK-4: brotli bytes of script and style. `loads` are entries of Vite's manifests; each
 * counts with all its static imports, less the files of `beyond`. A dynamic import counts only where it is named
 * here.
 */
const budgets: readonly { page: string; loads: string[]; beyond?: string[]; bytes: number }[] = [
  // In German, whose words are the longest.
  { page: 'home screen', loads: ['index.html', '../virtual:texts/first/de'], bytes: 160_000 },
  {
    page: 'what follows the first paint of the home screen',
    loads: [
      'src/app/at-rest.ts',
      '../features/home/web/home-late.tsx',
      '../virtual:late-texts',
      '../virtual:texts/late/HOME_CHANGES/de',
    ],
    beyond: ['index.html'],
    bytes: 14_000,
  },
  {
    // What is loaded when the map is opened, in addition to the page.
    page: 'map',
    loads: ['../features/map/web/map-screen.tsx'],
    beyond: ['index.html', 'src/app/with-queries.tsx'],
    bytes: 180_000,
  },
  { page: 'sign-in page', loads: ['sign-in.html'], bytes: 32_000 },
  { page: 'maintenance page', loads: ['maintenance.html'], bytes: 30_000 },
  // All code of a page without a notice until the report dialog opens, including live events and recorded steps.
  { page: 'portico.js', loads: ['src/embed/entry.ts'], bytes: 25_000 },
  { page: 'portico.js with a notice', loads: ['src/embed/entry.ts', 'src/embed/above.tsx'], bytes: 36_000 },
  { page: 'page without storage', loads: ['unavailable.html'], bytes: 30_000 },
];

/** Bytes of all fonts together: a page may download them where the system has none (LOOK-4). */
const fontBytes = 40_000;

/** A manifest that Vite writes. */
type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] }>;

/**
 * A line for each budget that is exceeded or cannot be checked.
 *
 * @param dist the built web
 */
export function overBudget(dist = join(root, 'web/dist')): string[] {
  const manifests = globSync('manifest.*json', { cwd: dist }).map(
    (file) => JSON.parse(readFileSync(join(dist, file), 'utf8')) as Manifest,
  );
  if (manifests.length === 0) return ['The web is not built (no manifest in web/dist): npm run build'];
  const pages = budgets.flatMap(({ page, loads, beyond = [], bytes }) => {
    const files = new Set<string>();
    for (const entry of loads) {
      const manifest = manifests.find((chunks) => chunks[entry] !== undefined);
      if (manifest === undefined) return [`${page}: web/dist has no ${entry}`];
      for (const file of filesOf(manifest, entry)) files.add(file);
    }
    for (const entry of beyond)
      for (const manifest of manifests) for (const file of filesOf(manifest, entry)) files.delete(file);
    const rows = [...files].map((file) => ({
      file,
      size: brotliCompressSync(withoutHashes(readFileSync(join(dist, file)))).length,
    }));
    const total = rows.reduce((sum, { size }) => sum + size, 0);
    if (total <= bytes) return [];
    const largestFirst = rows
      .toSorted((a, b) => b.size - a.size)
      .map(({ file, size }) => `  ${size} ${file}`);
    return [`${page}: ${total} bytes of ${bytes} allowed`, ...largestFirst];
  });
  const fonts = globSync('assets/*.woff2', { cwd: dist }).map((file) => statSync(join(dist, file)).size);
  const ofFonts = fonts.reduce((sum, size) => sum + size, 0);
  return ofFonts <= fontBytes ? pages : [...pages, `fonts: ${ofFonts} bytes of ${fontBytes} allowed`];
}

/**
 * Replaces the hashes in the names of other files. They change with each change anywhere, and move the brotli size
 * of the same code by up to 50 bytes: a budget would be exceeded by chance.
 */
const withoutHashes = (file: Buffer): Buffer =>
  Buffer.from(file.toString('latin1').replaceAll(/-[\w-]{8}(?=\.(?:js|css)\b)/g, '-00000000'), 'latin1');

/** The files of an entry: its script, its styles and those of all its static imports. */
function filesOf(manifest: Manifest, key: string, seen = new Set<string>()): string[] {
  const chunk = manifest[key];
  if (chunk === undefined || seen.has(key)) return [];
  seen.add(key);
  const { file, css = [], imports = [] } = chunk;
  return [file, ...css, ...imports.flatMap((next) => filesOf(manifest, next, seen))];
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { root } from './prepare.mjs';

/**
 * The download budgets of LOOK-4: brotli bytes of script and style. `loads` are source files; with each come the files
 * that it imports at once. What it imports late counts only where it is named here too.
 */
const budgets = [
  { page: 'home screen', loads: ['src/main.tsx'], bytes: 160_000 },
  { page: 'sign-in page', loads: ['src/sign-in.tsx'], bytes: 30_000 },
  { page: 'maintenance page', loads: ['src/maintenance.tsx'], bytes: 30_000 },
];

/** @typedef {{ file: string, css?: string[], imports?: string[] }} Chunk as Vite's manifest describes one */

/** @returns {string[]} a line for each budget that is broken or cannot be looked at */
export function overBudget() {
  const built = manifests(join(root, 'web/dist'));
  if (built.length === 0) return ['The web is not built (no manifest in web/dist): npm run build -w web'];
  return budgets.flatMap(({ page, loads, bytes }) => {
    const files = /** @type {Set<string>} */ (new Set());
    for (const source of loads) {
      const home = built.find(({ chunks }) => chunks[source] !== undefined);
      if (home === undefined) return [`${page}: no build in web/dist has ${source}`];
      for (const file of filesOf(home.chunks, source)) files.add(join(home.folder, file));
    }
    const rows = [...files].map((file) => ({ file, size: brotliCompressSync(readFileSync(file)).length }));
    const total = rows.reduce((sum, { size }) => sum + size, 0);
    if (total <= bytes) return [];
    const list = rows
      .toSorted((a, b) => b.size - a.size)
      .map(({ file, size }) => `  ${size} ${file.slice(root.length)}`);
    return [`${page}: ${total} bytes of ${bytes} allowed`, ...list];
  });
}

/**
 * @param {string} folder
 * @returns {{ folder: string, chunks: Record<string, Chunk> }[]} every build below the folder
 */
function manifests(folder) {
  if (!existsSync(folder)) return [];
  const manifest = join(folder, '.vite/manifest.json');
  const below = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== '.vite')
    .flatMap(({ name }) => manifests(join(folder, name)));
  if (!existsSync(manifest)) return below;
  const chunks = /** @type {Record<string, Chunk>} */ (JSON.parse(readFileSync(manifest, 'utf8')));
  return [{ folder, chunks }, ...below];
}

/**
 * @param {Record<string, Chunk>} chunks
 * @param {string} key
 * @param {Set<string>} [seen]
 * @returns {string[]} the script, its styles and the same of all that it imports at once
 */
function filesOf(chunks, key, seen = new Set()) {
  const chunk = chunks[key];
  if (chunk === undefined || seen.has(key)) return [];
  seen.add(key);
  return [
    chunk.file,
    ...(chunk.css ?? []),
    ...(chunk.imports ?? []).flatMap((next) => filesOf(chunks, next, seen)),
  ];
}

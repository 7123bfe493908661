// What the linter does not see: import cycles of capabilities, re-exports, relative paths that leave their folder.
// Part of `npm run check`; the other rules about imports are in .oxlintrc.json.
import { globSync, readFileSync } from 'node:fs';
import { join, posix, resolve, sep } from 'node:path';
import { parseSync } from 'vite';

const folderOf = (path: string) =>
  /^(?:features\/[^/]+\/[^/]+|(?:contract|server|web)\/src)\//.exec(path)?.[0];
const sideOf = /^#?features\/([^/]+)\/(contract|server|web)\//;

/**
 * Lists each forbidden import, and each import cycle of capabilities on one side, a line for each. Types count as
 * values do.
 *
 * @param folder the repository
 */
export function importFaults(folder: string): string[] {
  const faults: string[] = [];
  const graph = new Map<string, Set<string>>();
  const files = '{features/*/{contract,server,web},{contract,server,web}/src}/**/*.{ts,tsx}';
  for (const file of globSync(files, { cwd: folder }).map((name) => name.replaceAll(sep, '/'))) {
    const text = readFileSync(join(folder, file), 'utf8');
    const { staticImports, staticExports } = parseSync(file, text).module;
    if (staticExports.some(({ entries }) => /^[.#]/.test(entries[0]?.moduleRequest?.value ?? '')))
      faults.push(`${file} passes on what another file declares. Import that where it is used.`);
    const late = [...text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, source = '']) => source);
    for (const source of [...staticImports.map(({ moduleRequest }) => moduleRequest.value), ...late]) {
      const target = posix.join(posix.dirname(file), source);
      if (source.startsWith('.') && folderOf(file) !== folderOf(target) && !source.endsWith('.json'))
        faults.push(
          `${file}: ${source} leaves ${folderOf(file)}. Import it by its name, such as #features/….`,
        );
      const [, own = '', side] = sideOf.exec(file) ?? [];
      const [, other = own, otherSide] = sideOf.exec(source) ?? [];
      if (own === other || side !== otherSide || /\.test\.|\/testing\//.test(file)) continue;
      const from = `${side} of ${own}`;
      graph.set(from, (graph.get(from) ?? new Set()).add(`${side} of ${other}`));
    }
  }
  return [...faults, ...[...graph.keys()].flatMap((start) => circleFrom(start, graph))];
}

/** The shortest import cycle from a capability to itself, reported once: for its first member by the alphabet. */
function circleFrom(start: string, graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const ways = [[start]];
  for (const way of ways)
    for (const next of [...(graph.get(way.at(-1) ?? '') ?? [])].filter((other) => start <= other)) {
      if (next === start) return [`${[...way, start].join(' → ')}: move what they share below both.`];
      if (!ways.some((other) => other.at(-1) === next)) ways.push([...way, next]);
    }
  return [];
}

if (import.meta.main) {
  const faults = importFaults(resolve(import.meta.dirname, '..'));
  for (const fault of faults) console.log(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

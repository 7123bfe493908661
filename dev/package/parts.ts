// Finds from the lockfile what the bundles contain: with its licences, and as a list for scanners.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

type Locked = Partial<Part> & { link?: boolean; dependencies?: Record<string, string> };

export type Part = { path: string; name: string; version: string; license: string; integrity?: string };

/** Dependencies that build, run or demonstrate Portico, and are in no bundle. */
const tools = ['@vitejs/plugin-react', 'node', 'rolldown', 'topojson-client', 'vite'];

/** The packages that server and web depend on, themselves or through others, by name. */
export function bundledPackages(root: string): Part[] {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, Locked> };
  const found = new Set(['']);
  // A set goes through what is added on the way too.
  for (const from of found)
    for (const name of Object.keys(packages[from]?.dependencies ?? {})) {
      const path = from === '' && tools.includes(name) ? undefined : placeOf(name, from, packages);
      if (path !== undefined) found.add(path);
    }
  return [...found]
    .filter((path) => path !== '' && packages[path]?.link !== true)
    .map((path) => {
      const { version = '', license = 'UNKNOWN', integrity } = packages[path] ?? {};
      const name = path.replace(/^.*node_modules\//, '');
      return { path, name, version, license, ...(integrity && { integrity }) };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Where Node finds the package `name` for an import in `from`: in the nearest node_modules above. */
function placeOf(name: string, from: string, packages: Record<string, Locked>): string | undefined {
  const path = posix.join(from, 'node_modules', name);
  if (packages[path] !== undefined) return path;
  return from === '' ? undefined : placeOf(name, from.includes('/') ? posix.dirname(from) : '', packages);
}

/** The licence of each part; a text that several parts share is there once. */
export function licenceTexts(root: string, parts: readonly Part[]): string {
  const byText = new Map<string, string[]>();
  for (const { path, name, version, license } of parts) {
    const text = licenceIn(join(root, path)) ?? `Licence: ${license}`;
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version}`]);
  }
  return [...byText]
    .map(([text, names]) => `${names.join(', ')}\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceIn(folder: string): string | undefined {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const file = names.find((name) => /^licen[cs]e(?:[.-].*)?$/i.test(name));
  return file === undefined ? undefined : readFileSync(join(folder, file), 'utf8').trim();
}

/** The parts in CycloneDX 1.5, which scanners read: a bundle has no node_modules that they could look at. */
export function listOfParts(parts: readonly Part[], version: string): object {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: { type: 'application', name: 'portico', version, purl: `pkg:npm/portico@${version}` },
    },
    components: parts.map(({ name, version: of, license, integrity }) => ({
      type: 'library',
      name,
      version: of,
      purl: `pkg:npm/${name.replace('@', '%40')}@${of}`,
      licenses: [{ expression: license }],
      ...(integrity === undefined ? {} : { hashes: [hashOf(integrity)] }),
    })),
  };
}

/** Converts a value of subresource integrity to a hash as CycloneDX writes it. */
function hashOf(integrity: string): { alg: string; content: string } {
  const [algorithm = '', base64 = ''] = integrity.split('-');
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(base64, 'base64').toString('hex'),
  };
}

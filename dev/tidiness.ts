import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { root } from './prepare.mjs';
import { requirementFaults } from './requirements.ts';

const kindsOfNothing = /^(utils?|helpers?|common|types|services|misc)(\.|$)/;
const ofLines = {
  // Where people and build machines keep their clones, but not the same word inside an address or a template.
  'a path of one machine':
    /(?:file:\/\/|(?<![\w./}]))\/(?:home|Users|root|work|tmp)\/[\w.-]+|[A-Z]:\\Users\\/,
  'a silenced rule; change the code, or the rule for all':
    /\b(?:eslint|oxlint)-disable|@ts-(?:ignore|expect-error|nocheck)\b/,
};
// Files that test what is refused, and have to spell it out.
const spellsItOut = new Set(['dev/lint.test.ts', 'dev/tidiness.ts', 'dev/tidiness.test.ts']);

/**
 * Lists what no other tool checks, a line for each find: paths of one machine, silenced rules, names without a
 * meaning, download addresses in the lockfile and platforms missing from it, requirements that are cited and not
 * written down.
 *
 * @param folder the repository
 */
export function untidiness(folder = root): string[] {
  const texts = new Map<string, string>();
  for (const file of filesOf(folder)) {
    const text = readFileSync(join(folder, file), 'utf8');
    if (!text.includes('\0')) texts.set(file, text);
  }
  return [
    ...[...texts].flatMap(([file, text]) => [
      ...nameFaults(file),
      ...(basename(file) === 'package-lock.json' ? lockfileFaults(file, text) : lineFaults(file, text)),
    ]),
    ...requirementFaults(texts),
    ...toolFaults(texts),
  ];
}

// The files that `npm start` and `npm run demo` run or build, on all sides of a capability.
const shipped =
  /^(?:features\/[^/]+\/(?:contract|server|web)|(?:contract|server|web)\/src|dev\/package)\/|^web\/[^/]+\.ts$|^dev\/demo/;
const ofTests = /\.test\.tsx?$|\/testing\//;

/** `npm start` does not install the tools of the tests: what it runs may not import one. */
function toolFaults(texts: ReadonlyMap<string, string>): string[] {
  const { devDependencies: tools = {} } = JSON.parse(texts.get('package.json') ?? '{}') as {
    devDependencies?: object;
  };
  return [...texts].flatMap(([file, text]) =>
    [
      ...(shipped.test(file) && !ofTests.test(file) ? text : '').matchAll(
        /^(?:import|\} from)\b[^;`]*? ?'([^'.#][^']*)'/gm,
      ),
    ]
      .map(([, source = '']) => source.split('/', source.startsWith('@') ? 2 : 1).join('/'))
      .filter((name) => Object.hasOwn(tools, name))
      .map((name) => `${file}: ${name} is a tool of the tests, which npm start does not install`),
  );
}

function nameFaults(file: string): string[] {
  const isMeaningless = file.split('/').some((part) => kindsOfNothing.test(part));
  return isMeaningless ? [`${file}: the name of a kind; name it for the concept that it holds`] : [];
}

function lineFaults(file: string, text: string): string[] {
  if (spellsItOut.has(file)) return [];
  return text.split('\n').flatMap((line, at) =>
    Object.entries(ofLines)
      .filter(([, wrong]) => wrong.test(line))
      .map(([fault]) => `${file}:${at + 1}: ${fault}`),
  );
}

/**
 * A lockfile with download addresses installs from those addresses only; with a platform missing from it, `npm ci`
 * refuses.
 */
function lockfileFaults(file: string, text: string): string[] {
  const { packages } = JSON.parse(text) as { packages: Record<string, Locked> };
  return Object.entries(packages).flatMap(([path, { resolved, link, optionalDependencies = {} }]) => [
    ...(resolved !== undefined && link !== true ? [`${file}: ${path} names a download address`] : []),
    ...Object.keys(optionalDependencies)
      .filter((name) => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`])
      .map((name) => `${file}: ${name}, one platform's part of ${path}, is missing; npm ci would refuse`),
  ]);
}

type Locked = { resolved?: string; link?: boolean; optionalDependencies?: Record<string, string> };

/** Every file that could be committed: .gitignore names the others, as `folder/`, `folder/inner/` or `*.ending`. */
function filesOf(folder: string): string[] {
  const gitignore = join(folder, '.gitignore');
  const ignored = existsSync(gitignore) ? readFileSync(gitignore, 'utf8').split('\n') : [];
  const names = ['.git', ...ignored].filter((line) => line !== '').map((line) => line.replace(/\/$/, ''));
  const exclude = names.map((name) => (name.includes('/') ? name : `**/${name}`));
  return globSync(['**', '**/.*', '**/.*/**'], { cwd: folder, exclude, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, resolve(folder, parentPath, name)).replaceAll(sep, '/'));
}

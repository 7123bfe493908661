import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** A fenced block of a document: a whole new file, or lines (`+`) next to lines that are there. */
type Block = { path: string; kind: 'file' | 'change'; text: string };

/**
 * Copies the working tree, as git knows it, to a folder with the packages that are installed here. Of the tests, it
 * copies only `tests`, which are run there.
 */
export function copyRepository(root: string, to: string, tests: readonly string[]): void {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  });
  const isCopied = (name: string) =>
    existsSync(join(root, name)) && (!/\.(?:test|spec)\.tsx?$/.test(name) || tests.includes(name));
  for (const file of listed.split('\0').filter((name) => name !== '' && isCopied(name)))
    cpSync(join(root, file), join(to, file));
  const modules = join(to, 'node_modules');
  mkdirSync(modules);
  // Links each package, not node_modules itself, in which builds and runners write to `.cache` and the like.
  for (const name of readdirSync(join(root, 'node_modules')).filter((each) => /^(?!\.)|^\.bin$/.test(each)))
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
}

/**
 * Follows a document block by block, as a reader would who copies each to its place. Answers the files it
 * made and changed.
 */
export function followDocument(document: string, root: string): { made: string[]; changed: string[] } {
  const made = new Set<string>();
  const changed = new Set<string>();
  for (const { path, kind, text } of blocksOf(document)) {
    const file = join(root, path);
    if (kind === 'file') {
      if (existsSync(file)) throw new Error(`${path} is there already.`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      made.add(path);
    } else {
      const before = readFileSync(file, 'utf8');
      writeFileSync(file, changedText(path, before, text));
      changed.add(path);
    }
  }
  return { made: [...made], changed: [...changed] };
}

function blocksOf(document: string): Block[] {
  return [...document.matchAll(/^```(\w+) (\S+)\n(.*?)^```$/gms)].map(
    ([, language, path = '', text = '']) => ({
      path,
      kind: language === 'diff' ? 'change' : 'file',
      text,
    }),
  );
}

function changedText(path: string, before: string, change: string): string {
  const lines = change.trimEnd().split('\n');
  const known = lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
  const after = lines.map((line) => line.slice(1));
  const [head, ...rest] = before.split(`${known.join('\n')}\n`);
  if (head === undefined || rest.length !== 1)
    throw new Error(`These lines stand ${rest.length} times in ${path}, not once:\n${known.join('\n')}`);
  return `${head}${after.join('\n')}\n${rest.join('')}`;
}

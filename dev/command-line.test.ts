import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

function run(script: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, script), ...args], {
    encoding: 'utf8',
    cwd: root,
  });
  return { status, stdout, stderr };
}

it.each([
  ['bench', 'bench/main.ts'],
  ['pictures', 'dev/pictures/main.ts'],
  ['mutants', 'dev/mutants/main.ts'],
  ['faults', 'dev/faults/main.ts'],
  ['interop', 'dev/interop/main.ts'],
])(
  'npm run %s says how it is used, and refuses an option that it does not know in one line',
  (name, script) => {
    const help = run(script, '--help');
    expect(help).toMatchObject({ status: 0, stderr: '' });
    expect(help.stdout.split('\n', 1)[0]).toMatch(new RegExp(`^Usage: npm run ${name}\\b`));
    expect(run(script, '--nope')).toEqual({
      status: 2,
      stdout: '',
      stderr: "Unknown option '--nope'. Try --help.\n",
    });
  },
);

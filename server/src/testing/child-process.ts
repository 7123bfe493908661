import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { afterThisTest } from './fresh-database.ts';
import { programOf } from './program.ts';

export type Child = {
  /** Every line of standard output so far. */
  lines: string[];
  errors: string[];
  /** The next line that fits, even if it has come already; rejects when the process ends without it. */
  line(wanted: string | RegExp): Promise<string>;
  /** Sends a line to its standard input. */
  writeLine(text: string): void;
  /** Sends it a signal. */
  signal(name: 'SIGTERM' | 'SIGINT'): void;
  /** kill -9. */
  kill(): Promise<void>;
  /** Everything that it has written is in `lines` and `errors`. */
  closed: Promise<unknown>;
  /** The status with which it ended, null after a kill. */
  ended: Promise<number | null>;
};

/** A cache of compiled code for all processes, which saves a third of the time that a start takes. */
export const compiled = join(tmpdir(), 'portico-compiled');

/**
 * Runs a script of `server/src` in a process of its own, with the runtime of the tests; killed after the test
 * at the latest.
 *
 * @param stdout a file descriptor for its standard output, which is then not read here
 * @param mostBlocks how large a file it may write, in blocks of 512 bytes: what is beyond fails in the system
 *   (EFBIG), for root too
 */
export function startProcess(...how: Parameters<typeof startLastingProcess>): Child {
  const child = startLastingProcess(...how);
  afterThisTest(child.kill);
  return child;
}

/** Like `startProcess`, but for as long as the tests' own process, for tests that use it one after the other. */
export function startLastingProcess(
  script: string,
  args: string[],
  environment: Record<string, string> = {},
  stdout: number | 'pipe' = 'pipe',
  mostBlocks: number | null = null,
): Child {
  const command = [process.execPath, programOf(script), ...args];
  const [program = '', ...parts] =
    mostBlocks === null ? command : ['sh', '-c', `ulimit -f ${mostBlocks}; exec "$0" "$@"`, ...command];
  const child = spawn(program, parts, {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: compiled,
      // No balancer has to notice the stop first.
      STOP_DELAY: '0',
      ...environment,
    },
    stdio: ['pipe', stdout, 'pipe'],
  });
  const lines: string[] = [];
  const errors: string[] = [];
  const errorOutput = createInterface(child.stderr ?? Readable.from([])).on('line', (line) =>
    errors.push(line),
  );
  const output = createInterface(child.stdout ?? Readable.from([])).on('line', (line) => lines.push(line));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const closed = Promise.all([once(output, 'close'), once(errorOutput, 'close')]);
  const kill = async () => {
    child.kill('SIGKILL');
    await Promise.all([ended, closed]);
  };
  return {
    lines,
    errors,
    async line(wanted) {
      const fits = (line: string) => (typeof wanted === 'string' ? line === wanted : wanted.test(line));
      const already = lines.find(fits);
      if (already !== undefined) return already;
      return new Promise((done, fail) => {
        output.on('line', (line) => fits(line) && done(line));
        void closed.then(() =>
          fail(new Error(`It ended without ${String(wanted)}:\n${[...lines, ...errors].join('\n')}`)),
        );
      });
    },
    signal: (name) => void child.kill(name),
    writeLine: (text) => child.stdin?.write(`${text}\n`),
    kill,
    closed,
    ended,
  };
}

import { once } from 'node:events';
import { runCommandLine } from './cli/run.ts';
import { readConfig } from './config.ts';

const { stdout, stderr } = process;
// The reader, such as `head`, has closed the pipe: nothing is left to be done.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

/** The progress line, removed before anything else is written. */
let shown = false;
const clear = (): string => {
  const erase = shown ? '\r\x1b[K' : '';
  shown = false;
  return erase;
};

process.exitCode = await runCommandLine(process.argv.slice(2), readConfig, {
  print(text) {
    stderr.write(clear());
    stdout.write(`${text}\n`);
  },
  publish: (text) => stderr.write(`${clear()}${text}\n`),
  async taken() {
    if (stdout.writableNeedDrain) await once(stdout, 'drain');
  },
  ...(stderr.isTTY
    ? {
        progress(text: string) {
          stderr.write(`${clear()}${text}`);
          shown = true;
        },
      }
    : {}),
});

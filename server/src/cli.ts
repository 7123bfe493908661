import { once } from 'node:events';
import { runCommandLine } from './cli/run.ts';
import { readConfig } from './config.ts';

const { stdout } = process;
// Whoever reads has had enough, such as `head`: nothing is left to be done.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await runCommandLine(process.argv.slice(2), readConfig, {
  print: (text) => stdout.write(`${text}\n`),
  tell: (text) => process.stderr.write(`${text}\n`),
  async taken() {
    if (stdout.writableNeedDrain) await once(stdout, 'drain');
  },
});

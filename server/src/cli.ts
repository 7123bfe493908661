import { runCommandLine } from './cli/run.ts';
import { readConfig } from './config.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), readConfig, {
  print: (text) => process.stdout.write(`${text}\n`),
  tell: (text) => process.stderr.write(`${text}\n`),
});

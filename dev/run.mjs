// Runs a script of this folder on the pinned Node, with all packages installed: `node dev/run.mjs SCRIPT [ARG …]`.
import { join } from 'node:path';
import { install, node, requireNode, root, run } from './prepare.mjs';

const [script = '', ...args] = process.argv.slice(2);
requireNode();
const installed = await install();
process.exitCode = installed ? await run(node, [join(root, 'dev', script), ...args]) : 1;
// The last lines of `npm test` are its result, also where the tests could not run (START-2).
if (!installed && script === 'test.ts')
  console.log('failed  the packages could not be installed\n0 passed, 1 failed, 0 skipped');

// npm run package: makes what is published, in `dist/package`, and packs it, `dist/portico-VERSION.tgz`. The
// server runs its TypeScript as it stands, which Node refuses below node_modules: so it is bundled, with
// everything that it imports (docs/decisions/0036).
import { buildWeb, install, node, requireNode, run } from './prepare.mjs';

requireNode();
if (!(await install()) || !(await buildWeb())) process.exit(1);
process.exitCode = await run(node, ['dev/package/make.ts']);

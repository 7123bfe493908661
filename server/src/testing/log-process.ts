import { createLogger } from '../platform/log/logger.ts';
import { standardOutput } from '../platform/log/log-output.ts';

// A process that ends as the server does at an error that nothing caught, for tests of what its standard
// output takes.
const logger = createLogger('info');
process.on('uncaughtException', (error) => {
  // Makes room for the line with the cause.
  standardOutput().flushSync();
  logger.fatal({ err: error }, 'the end');
  process.exit(1);
});
for (let line = 0; line < Number(process.argv[2]); line += 1) logger.info({ line, text: 'x'.repeat(1_000) });
setImmediate(() => {
  throw new Error('nothing catches it');
});

import { setFlagsFromString } from 'node:v8';
import { createApp, type App } from './app.ts';
import { readConfig, type Config } from './config.ts';
import { createLogger } from './platform/log/logger.ts';
import { standardOutput } from './platform/log/log-output.ts';
import { startFailure, startMessage } from './start-message.ts';

/** If a stop takes longer than this after its delay, some part of it does not end. */
const stopTimeoutMs = 10_000;

const atTerminal = process.stdout.isTTY;
const config = readConfigOrLeave();
const logger = createLogger(config.logLevel);
let app: App | null = null;
let stopping = false;

process.on('uncaughtException', (error) => {
  // Flushes what waits, so that the line with the reason fits.
  standardOutput().flushSync();
  logger.fatal({ err: error }, 'an error that nothing caught; the process ends');
  process.exit(1);
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));

try {
  app = await createApp(config, { logger });
  publish(app, await app.listen());
  // Otherwise V8 would keep some 15 MB of the start while the server is idle.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  // Otherwise all garbage is collected every 6 to 10 s under load. A V8 that does not know this option goes on.
  setFlagsFromString('--heap-growing-percent=60');
} catch (error) {
  logger.debug({ err: error }, 'the start failed');
  process.stderr.write(`${startFailure(error, config)}\n`);
  process.exit(1);
}

function readConfigOrLeave(): Config {
  try {
    return readConfig(undefined, { atTerminal });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

function publish(started: App, address: string): void {
  const offer = started.setUpOffer();
  if (atTerminal) process.stdout.write(startMessage({ config, address, offer }));
  // People who read logs must not read the token.
  const setUp = offer === null ? {} : { setUpTokenFile: offer.file, setUpPage: `${config.publicUrl}/set-up` };
  logger.info({ address, publicUrl: config.publicUrl, dataDir: config.dataDir, ...setUp }, 'ready');
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  // The second signal ends at once.
  if (stopping || app === null) process.exit(stopping ? 1 : 0);
  stopping = true;
  logger.info({ signal }, 'stopping');
  setTimeout(() => {
    logger.error('the stop takes too long; the process ends');
    process.exit(1);
  }, config.stopDelayMs + stopTimeoutMs).unref();
  await app.stop();
  logger.info('stopped');
  process.exit(0);
}

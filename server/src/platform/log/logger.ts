import pino from 'pino';
import { systemClock } from '../time/clock.ts';
import { standardOutput, type LogOutput } from './log-output.ts';

/** An error of the chain, with what it carries in addition to its message. */
export type ChainedError = Record<string, unknown> & { code?: unknown; name?: unknown; message?: unknown };

export type Logger = pino.Logger;

/** How many warnings are kept to be shown, and how many characters of one. */
const mostRecent = 500;
const mostOfLine = 8_000;
const states = new WeakMap<Logger, { recent: string[]; requests: Logger[] }>();

/**
 * JSON lines without secrets: requests are logged by their path without its query (codes of the sign-in stand
 * there), and no header is written (RUN-2).
 *
 * @param destination standard output by default; the number of lines that it dropped is reported
 */
export function createLogger(
  level: string,
  destination: pino.DestinationStream | LogOutput = standardOutput(),
): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: isoTimes(),
    redact: {
      paths: [
        'password',
        '*.password',
        'token',
        '*.token',
        'accessToken',
        '*.accessToken',
        'authorization',
        '*.authorization',
        'cookie',
        '*.cookie',
        'secret',
        '*.secret',
      ],
      censor: '[removed]',
    },
    serializers: {
      err: pino.stdSerializers.err,
      // The path as the client sent it.
      req: (request: { method: string; url: string; originalUrl?: string; ip: string; id: string }) => ({
        method: request.method,
        path: (request.originalUrl ?? request.url).split('?', 1)[0],
        address: request.ip,
      }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
    },
  };
  const recent: string[] = [];
  const logger = pino(options, {
    write(line) {
      // The level stands first: `{"level":40,`.
      if (line.charCodeAt(9) >= 52) {
        if (recent.length === mostRecent) recent.shift();
        recent.push(line.slice(0, mostOfLine));
      }
      destination.write(line);
    },
  });
  states.set(logger, { recent, requests: [] });
  if ('onDropped' in destination) {
    destination.onDropped((dropped) =>
      logger.error({ dropped }, 'log lines were dropped here: for a while the output could not be written'),
    );
  }
  return logger;
}

/**
 * A logger for the one line of each request. Its serializers write nothing that holds a secret: looking for secrets
 * in the line would take longer than writing it.
 */
export function createRequestLogger(logger: Logger): Logger {
  const requests = logger.child({}, { redact: [] });
  states.get(logger)?.requests.push(requests);
  return requests;
}

/** The latest 500 warnings and errors of this process as they were written, the oldest first. */
export function recentWarnings(logger: Logger): readonly string[] {
  return states.get(logger)?.recent ?? [];
}

/** Changes the level of a logger and of its request loggers while the process runs. */
export function setLevel(logger: Logger, level: string): void {
  for (const one of [logger, ...(states.get(logger)?.requests ?? [])]) one.level = level;
}

/** Formats the time once for all lines of the same millisecond. */
function isoTimes(): () => string {
  let at = Number.NaN;
  let text = '';
  return () => {
    const now = systemClock.now();
    if (now !== at) {
      at = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
}

/** An error and its causes, outermost first, eight at most; empty for what is no object. */
export function errorChain(error: unknown): ChainedError[] {
  const chain: ChainedError[] = [];
  for (let here = error; typeof here === 'object' && here !== null && chain.length < 8;) {
    const link = here as ChainedError;
    chain.push(link);
    here = link['cause'];
  }
  return chain;
}

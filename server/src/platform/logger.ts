import pino from 'pino';

export type Logger = pino.Logger;

/**
 * JSON lines without secrets: requests are logged by their path without its query (codes of the sign-in stand there),
 * and no header is written (RUN-2).
 *
 * @param destination standard output where nothing else is said
 */
export function createLogger(
  level: string,
  destination: pino.DestinationStream = pino.destination(1),
): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
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
      req: (request: { method: string; url: string; ip: string; id: string }) => ({
        method: request.method,
        path: request.url.split('?', 1)[0],
        address: request.ip,
      }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
    },
  };
  return pino(options, destination);
}

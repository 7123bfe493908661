import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLogger, createRequestLogger, type Logger } from './logger.ts';

function logged(
  write: (logger: ReturnType<typeof createLogger>) => void,
  level = 'info',
): Record<string, unknown>[] {
  const lines: string[] = [];
  write(createLogger(level, { write: (line) => lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the log', () => {
  it('RUN-2: is one JSON object a line, with level and time', () => {
    const [line, ...rest] = logged((logger) => logger.info({ person: 'ada' }, 'two\nlines'));
    expect(line).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      person: 'ada',
      msg: 'two\nlines',
    });
    expect(rest).toEqual([]);
  });

  it.each(['password', 'token', 'accessToken', 'authorization', 'cookie', 'secret'])(
    'RUN-2: removes what is called %s',
    (name) => {
      const lines = logged((logger) => logger.info({ [name]: 'hunter2', body: { [name]: 'hunter2' } }));
      expect(lines[0]).toMatchObject({ [name]: '[removed]', body: { [name]: '[removed]' } });
      expect(JSON.stringify(lines)).not.toContain('hunter2');
    },
  );

  it('RUN-2: logs method, path and address of a request alone', () => {
    const request = {
      method: 'GET',
      url: '/auth/callback?code=hunter2',
      ip: '10.0.0.1',
      id: 'r1',
      headers: { cookie: 'hunter2' },
    };
    expect(
      logged((logger) => logger.info({ req: request, res: { statusCode: 303, payload: 'hunter2' } }))[0],
    ).toMatchObject({
      req: { method: 'GET', path: '/auth/callback', address: '10.0.0.1' },
      res: { status: 303 },
    });
    for (const of of [(logger: Logger) => logger, createRequestLogger])
      expect(JSON.stringify(logged((logger) => of(logger).info({ req: request })))).not.toContain('hunter2');
  });

  it('RUN-2: gives each line the time at which it was written', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
    onTestFinished(() => void vi.useRealTimers());
    const lines = logged((logger) => {
      logger.info('one');
      logger.info('two');
      vi.setSystemTime(1_001);
      logger.info('three');
    });
    expect(lines.map(({ time }) => time)).toEqual([
      '1970-01-01T00:00:01.000Z',
      '1970-01-01T00:00:01.000Z',
      '1970-01-01T00:00:01.001Z',
    ]);
  });

  it('RUN-2: keeps to its level', () => {
    expect(logged((logger) => logger.info('no'), 'warn')).toEqual([]);
    expect(logged((logger) => logger.fatal('no'), 'silent')).toEqual([]);
  });
});

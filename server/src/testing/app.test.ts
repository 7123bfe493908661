import { beforeAll, describe, expect, it } from 'vitest';
import { healthz, readyz } from '@portico/contract/health';
import { startApp, type TestApp } from './app.ts';
import { engines } from './fresh-database.ts';

describe.each(engines)('the harness on %s', (engine) => {
  let shared: TestApp;
  beforeAll(async () => {
    shared = await startApp({ engine });
    return async () => {
      await shared.stop();
      await shared.place.remove();
    };
  });

  it('RUN-1: starts the real application on a fresh database', async () => {
    const app = await startApp({ engine });
    expect(app.database.engine).toBe(engine);
    expect((await app.call(healthz, {})).body).toEqual({ status: 'ok' });
    expect((await app.call(readyz, {})).body).toEqual({ status: 'ready' });
    expect(app.log.filter((line) => line.msg === 'request')).toHaveLength(2);
  });

  it('RUN-1: shares an application between the tests of a file', async () => {
    expect((await shared.call(readyz, {})).body).toEqual({ status: 'ready' });
  });
});

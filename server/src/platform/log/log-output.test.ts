import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { healthz, readyz } from '#features/health/contract/health.ts';
import { startProcess, type Child } from '../../testing/child-process.ts';
import { callRoute } from '../../testing/client.ts';
import { afterThisTest, freshDatabase } from '../../testing/fresh-database.ts';
import { freePort } from '../../testing/free-port.ts';
import { createLogOutput } from './log-output.ts';

type Line = { msg?: string; type?: string; subject?: string; dropped?: number };

/** A pipe whose reader reads only once it is asked to. */
async function unreadPipe() {
  const { dataDir } = await freshDatabase('sqlite');
  const path = join(dataDir, 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  afterThisTest(() => closeSync(writer));
  const lines: Line[] = [];
  return {
    writer,
    lines,
    read() {
      const socket = new Socket({ fd: reader, writable: false });
      afterThisTest(() => void socket.destroy());
      createInterface(socket).on('line', (line) => lines.push(JSON.parse(line) as Line));
    },
    /** The reader has gone. */
    leave: () => closeSync(reader),
  };
}

/** Linux alone has one that is always full. */
const noFullDisk = !existsSync('/dev/full');

/** Where every write fails because the disk is full. */
function fullDisk(): number {
  const fd = openSync('/dev/full', 'w');
  afterThisTest(() => closeSync(fd));
  return fd;
}

type Server = { process: Child; url: string; environment: Record<string, string> };

async function startServer(stdout: number, more: Record<string, string> = {}): Promise<Server> {
  const { dataDir } = await freshDatabase('sqlite');
  const port = await freePort();
  const environment = {
    PORT: String(port),
    DATA_DIR: dataDir,
    RATE_LIMIT_SCALE: '1000000',
    AUDIT_LOG: 'stdout',
    OPERATOR_EMAIL: 'operator@example.org',
    OPERATOR_PASSWORD: 'walks under the portico',
    ...more,
  };
  const url = `http://localhost:${port}`;
  const server = { process: startProcess('main.ts', [], environment, stdout), url, environment };
  const ready = () =>
    callRoute(url, readyz, {}).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(ready).toBe(200);
  return server;
}

/** Requests that leave a line of about 4 kB each in the log. */
async function fill({ url }: Server, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const answer = await fetch(`${url}/${'x'.repeat(4_000)}`);
    expect(answer.status).toBe(404);
    await answer.arrayBuffer();
  }
}

/** What it answers, and the status with which it then ends in good order. */
async function stop({ process, url }: Server): Promise<(number | null)[]> {
  const { status } = await callRoute(url, healthz, {});
  process.signal('SIGTERM');
  return [status, await process.ended];
}

describe('a server', () => {
  it.skipIf(noFullDisk)(
    'RUN-2: goes on answering while the disk under its log is full, and stops in good order',
    async () => {
      const server = await startServer(fullDisk());
      await fill(server, 400);
      expect(await stop(server)).toEqual([200, 0]);
    },
  );

  it('RUN-2: goes on answering once the reader of its log has gone', async () => {
    const pipe = await unreadPipe();
    const server = await startServer(pipe.writer);
    pipe.leave();
    await fill(server, 400);
    expect(await stop(server)).toEqual([200, 0]);
  });

  it('RUN-2 AUD-1: drops and counts lines that are not read, and no line of the audit', async () => {
    const pipe = await unreadPipe();
    const server = await startServer(pipe.writer);
    const sent = 600;
    await fill(server, sent);
    const create = ['operator', 'create', '--email', 'ada@example.org'];
    const cli = startProcess('cli.ts', create, server.environment);
    expect(await cli.ended).toBe(0);
    await fill(server, 1);

    pipe.read();
    await expect.poll(() => pipe.lines.some(({ dropped = 0 }) => dropped > 0)).toBe(true);
    await expect.poll(() => pipe.lines.filter(({ type }) => type === 'audit').length).toBeGreaterThan(1);
    const answered = pipe.lines.filter(({ msg }) => msg === 'request').length;
    const dropped = pipe.lines.reduce((sum, line) => sum + (line.dropped ?? 0), 0);
    expect(answered).toBeLessThan(sent);
    expect(answered + dropped).toBeGreaterThan(sent);
    // Once there is room nothing is lost any more.
    await fill(server, 3);
    await expect
      .poll(() => pipe.lines.filter(({ msg }) => msg === 'request').length)
      .toBeGreaterThanOrEqual(answered + 3);
    expect(await stop(server)).toEqual([200, 0]);
    // The process may have ended before its last line is read.
    await expect.poll(() => pipe.lines.at(-1)).toMatchObject({ msg: 'stopped' });
  });

  it('RUN-2 AUD-1: stops in good order while its log is not read, and the next one writes what is left of the audit', async () => {
    const pipe = await unreadPipe();
    const server = await startServer(pipe.writer);
    await fill(server, 400);
    const create = ['operator', 'create', '--email', 'ada@example.org'];
    expect(await startProcess('cli.ts', create, server.environment).ended).toBe(0);
    expect(await stop(server)).toEqual([200, 0]);
    const next = startProcess('main.ts', [], { ...server.environment, PORT: String(await freePort()) });
    await next.line(/"operator\.create"/);
  });
});

describe('a process that ends by an error', () => {
  it('RUN-2: ends also while its log takes nothing', async () => {
    const pipe = await unreadPipe();
    for (const stdout of [...(noFullDisk ? [] : [fullDisk()]), pipe.writer]) {
      const child = startProcess('testing/log-process.ts', ['200'], {}, stdout);
      expect(await child.ended).toBe(1);
    }
  });

  it('RUN-2: has written why, also behind more than may wait', async () => {
    const wanted = [/"msg":"the end"/, /"dropped":\d+/];
    // It is read here: where this process stands still for longer than the second of a flush, its end is lost.
    await expect
      .poll(async () => {
        const child = startProcess('testing/log-process.ts', ['2000']);
        expect(await child.ended).toBe(1);
        await child.closed;
        return wanted.map((line) => child.lines.some((text) => line.test(text)));
      })
      .toEqual([true, true]);
  });
});

describe('an output of lines', () => {
  it('RUN-2: writes lines in their order, also those of a flush', async () => {
    const { dataDir } = await freshDatabase('sqlite');
    const file = join(dataDir, 'log');
    const fd = openSync(file, 'a');
    afterThisTest(() => closeSync(fd));
    const output = createLogOutput(fd);
    output.write('{"a":1}\n');
    await output.writeAll('{"b":2}\n{"c":3}\n');
    expect(readFileSync(file, 'utf8')).toBe('{"a":1}\n{"b":2}\n{"c":3}\n');
    writeFileSync(file, '');
    output.write('{"d":4}\n');
    output.flushSync();
    await expect.poll(() => readFileSync(file, 'utf8')).toBe('{"d":4}\n');
  });
});

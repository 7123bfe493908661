// Starts the applications of `examples/`, for `npm run demo` and the test of both in a browser.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { freePort } from '#server/testing/free-port.ts';

const folder = join(import.meta.dirname, '../examples');

export type Examples = {
  /** The file from which Portico reads the applications (`UPSTREAMS_FILE`). */
  upstreamsFile: string;
  stop(): Promise<void>;
};

type UpstreamsFile = { upstreams: { name: string; url: string }[] };

/**
 * Starts each application of `examples/upstreams.json` on a port of its own, on this machine alone.
 *
 * @param porticoUrl Portico's public address; the applications verify its assertions
 * @param scratch the folder for the file that Portico reads
 */
export async function startExamples(porticoUrl: string, scratch: string): Promise<Examples> {
  await buildDesks();
  const file = JSON.parse(readFileSync(join(folder, 'upstreams.json'), 'utf8')) as UpstreamsFile;
  const running: ChildProcess[] = [];
  const stop = async () => {
    for (const child of running.splice(0)) {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGTERM')) await ended;
    }
  };
  try {
    for (const upstream of file.upstreams) {
      const port = await freePort();
      upstream.url = `http://127.0.0.1:${port}`;
      running.push(await startOne(upstream.name, port, porticoUrl));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const upstreamsFile = join(scratch, 'upstreams.json');
  writeFileSync(upstreamsFile, JSON.stringify(file));
  return { upstreamsFile, stop };
}

async function startOne(name: string, port: number, porticoUrl: string): Promise<ChildProcess> {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [join(folder, name, 'server.js')], {
    env: { PATH, PORT: String(port), PORTICO_URL: porticoUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error(`examples/${name} has ended.`))),
  ]);
  child.stdout.resume();
  return child;
}

/** Builds the page of `desks` where its sources are newer than the last build. */
async function buildDesks(): Promise<void> {
  const root = join(folder, 'desks');
  const built = join(root, 'dist/index.html');
  const sources = [
    ...['index.html', 'package.json', 'vite.config.js'].map((file) => join(root, file)),
    ...readdirSync(join(root, 'src')).map((file) => join(root, 'src', file)),
    join(folder, '../web/dist/portico-react.js'),
  ];
  const newest = Math.max(...sources.map((file) => statSync(file).mtimeMs));
  if (existsSync(built) && statSync(built).mtimeMs > newest) return;
  await build({ root, configFile: join(root, 'vite.config.js'), logLevel: 'warn' });
}

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '#server/testing/free-port.ts';
import { root } from '../prepare.mjs';

/** `email` is the operator's. */
export type Demo = { url: string; email: string; member: string; password: string; stop: () => void };

/** Starts the demo and reads the accounts from its output. */
export async function openDemo(): Promise<Demo> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, 'dev/start.mjs'), '--demo'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), PUBLIC_URL: `http://localhost:${port}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  const printed = (name: string) => new RegExp(String.raw`${name}\s+(\S+)`).exec(text)?.[1];
  return new Promise((opened, failed) => {
    child.once('exit', () => failed(new Error(`The demo did not open.\n${text}`)));
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const [email, member, password] = [printed('Operator'), printed('Member'), printed('Password')];
      if (email === undefined || member === undefined || password === undefined) return;
      const url = `http://localhost:${port}/portico`;
      opened({ url, email, member, password, stop: () => child.kill('SIGTERM') });
    });
  });
}

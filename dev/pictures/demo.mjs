import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../prepare.mjs';

/**
 * @typedef {{ url: string, email: string, member: string, password: string, stop: () => void }} Demo `email`
 * is the operator's
 */

/**
 * Where no desktop is installed, Linux draws in fonts that few people have.
 *
 * @returns {{ file: string, remove: () => void }} a configuration for fontconfig, which other systems do not
 * look at
 */
export function pleasantFonts() {
  const place = mkdtempSync(join(tmpdir(), 'portico-fonts-'));
  const file = join(place, 'fonts.conf');
  const better = ['Inter', 'Cantarell', 'Noto Sans', 'Liberation Sans'].map(
    (name) => `<string>${name}</string>`,
  );
  const rules = ['system-ui', 'sans-serif'].map(
    (family) => `  <match target="pattern">
    <test name="family"><string>${family}</string></test>
    <edit name="family" mode="prepend" binding="strong">${better.join('')}</edit>
  </match>`,
  );
  writeFileSync(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
${rules.join('\n')}
</fontconfig>
`,
  );
  return { file, remove: () => rmSync(place, { recursive: true, force: true }) };
}

/**
 * Starts the demo and reads the accounts from its output.
 *
 * @returns {Promise<Demo>}
 */
export async function openDemo() {
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, 'dev/start.mjs'), '--demo'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), PUBLIC_URL: `http://localhost:${port}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  /** @type {Promise<Demo>} */
  const open = new Promise((opened, failed) => {
    child.once('exit', () => failed(new Error(`The demo did not open.\n${text}`)));
    child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
      text += chunk;
      const email = /Operator\s+(\S+)/.exec(text)?.[1];
      const member = /Member\s+(\S+)/.exec(text)?.[1];
      const password = /Password\s+(\S+)/.exec(text)?.[1];
      if (email === undefined || member === undefined || password === undefined) return;
      opened({
        url: `http://localhost:${port}/portico`,
        email,
        member,
        password,
        stop: () => child.kill('SIGTERM'),
      });
    });
  });
  return open;
}

/** @returns {Promise<number>} a free port */
function freePort() {
  return new Promise((found, failed) => {
    const probe = createServer();
    probe.once('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => found(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

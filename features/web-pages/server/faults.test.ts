import { expect, it } from 'vitest';
import { startApp } from '#server/testing/app.ts';

const dsn = 'https://0123abc@errors.example.org/7';

it.each([
  {
    faults: 'own',
    sent: { dsn: expect.stringMatching(/^https?:\/\/[0-9a-f]{32}@.+\/1$/), tunnel: '/v1/faults' },
  },
  { faults: { dsn }, sent: { dsn, tunnel: null }, allowed: 'https://errors.example.org' },
  { faults: 'off', sent: null },
] as const)('DIAG-1: a page sends its errors $faults, and its policy allows no more', async (row) => {
  const app = await startApp({ engine: 'sqlite', config: { faults: row.faults } });
  const answer = await fetch(`${app.url}/sign-in`, { headers: { accept: 'text/html' } });
  const [, boot = '{}'] = /id="boot"[^>]*>(.*?)<\/script>/s.exec(await answer.text()) ?? [];
  expect((JSON.parse(boot) as { faults: unknown }).faults).toEqual(row.sent);
  const [, connect] = /connect-src ([^;]*)/.exec(answer.headers.get('content-security-policy') ?? '') ?? [];
  expect(connect).toBe(["'self'", ...('allowed' in row ? [row.allowed] : [])].join(' '));
});

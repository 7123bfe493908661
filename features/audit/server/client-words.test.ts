import { expect, it } from 'vitest';
import { clientWords } from './client-words.ts';

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0',
    'Firefox 150',
    'Windows',
  ],
  ['curl/8.5.0', 'curl 8.5', null],
  ['python-requests/2.32.3', 'python-requests 2.32', null],
  ['PostmanRuntime/7', 'PostmanRuntime 7', null],
  ['node', 'node', null],
  ['deploy/1.4.2-rc.1+a (Linux; x64)', 'deploy 1.4', 'Linux'],
])('AUD-1: a client is named by its program: %s', (userAgent, program, system) => {
  expect(clientWords(userAgent)).toEqual({ program, system });
});

it.each([
  [undefined],
  [''],
  ['Mozilla/5.0 (compatible)'],
  ['ada@example.org'],
  ['=cmd|calc'],
  [`${'x'.repeat(100_000)}/1`],
  ['Ada Ångström’s script'.slice(3)],
])('AUD-1: and not at all where it names none: %s', (userAgent) => {
  expect(clientWords(userAgent)).toBeNull();
});

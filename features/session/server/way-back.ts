import { createHash } from 'node:crypto';
import { wayBack } from '#features/session/contract/session.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/*
 * The way back from a sign-in to an address that is too long for a cookie, or whose fragment never reaches a server
 * where another provider's pages are in between. A page stores the address in the session storage of its tab, and
 * goes on to the sign-in with the short address of another page, which later goes to the stored address.
 */

/** Longer addresses, once encoded, do not fit into the cookie of a sign-in. */
const longest = 2_000;
const storedPrefix = 'portico.way-back.';

/** Whether an address fits into the cookie of a sign-in, also as a part of another address. */
export function fitsIntoSignIn(place: string): boolean {
  return encodeURIComponent(place).length <= longest;
}

/** Stores `place`, with the fragment of this request, and asks again for the sign-in. */
export function sendStoringPage(
  request: Pick<FastifyRequest, 'url'>,
  reply: FastifyReply,
  { place, basePath }: { place: string; basePath: string },
): void {
  const again = new URL(request.url, 'http://localhost');
  again.searchParams.set('stored', '1');
  const next = `${basePath}${again.pathname}${again.search}`;
  const script = `
const next = new URL(${inScript(next)}, location.origin);
const place = ${inScript(place)};
const key = Date.now().toString(36) + Math.random().toString(36).slice(2);
if (location.hash !== '' || ${!fitsIntoSignIn(place)})
  try {
    sessionStorage.setItem('${storedPrefix}' + key, place.includes('#') ? place : place + location.hash);
    next.searchParams.set('returnTo', ${inScript(`${basePath}${wayBack.path}`)} + '?key=' + key);
  } catch {}
location.replace(next);
`;
  const refresh = `<noscript><meta http-equiv="refresh" content="0;url=${escapeAttribute(next)}"></noscript>`;
  sendScript(reply, script, refresh);
}

/** Goes to the stored address of this origin, or to `home`. */
export function sendWayBackPage(reply: FastifyReply, home: string): void {
  const script = `
let place = null;
try {
  const name = '${storedPrefix}' + new URLSearchParams(location.search).get('key');
  place = sessionStorage.getItem(name);
  sessionStorage.removeItem(name);
} catch {}
const home = new URL(${inScript(home)}, location.origin);
const to = place !== null && URL.canParse(place, location.origin) ? new URL(place, location.origin) : home;
location.replace(to.origin === location.origin && to.pathname.startsWith('/') ? to : home);
`;
  sendScript(reply, script, '');
}

function sendScript(reply: FastifyReply, script: string, head: string): void {
  const hash = createHash('sha256').update(script).digest('base64');
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`;
  void reply
    .header('cache-control', 'no-store')
    .header('content-security-policy', policy)
    .type('text/html; charset=utf-8')
    .send(`<!doctype html><meta charset="utf-8"><title>…</title>${head}<script>${script}</script>`);
}

/** A text as a literal of a script in a page. */
function inScript(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\u003c');
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

import { asObject, listOf, type Json } from './envelope.ts';
import { lineOf } from './text-of.ts';

/** The part of a stack frame that locates an error. */
type Frame = { file: string; name: string };

/** Frames that are looked at from the top of a stack; Sentry's SDKs send at most 50. */
const mostFrames = 100;
const partsShown = 3;
const extension = /\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|php|java|kt|go|cs|html?|css|wasm)$/i;

/**
 * Where an error was thrown in the application's own code, the same for every build: file and function of the
 * top frame, without origin, query and build hash. Empty for a stack without frames.
 *
 * @param stack Sentry's `stacktrace`; the last frame is the top one
 */
export function placeOf(stack: unknown): string {
  const frames = framesOf(stack);
  let top: Json | null = null;
  for (let at = frames.length - 1; at >= Math.max(0, frames.length - mostFrames); at -= 1) {
    const frame = asObject(frames[at]);
    if (frame === null) continue;
    if (isOwn(frame)) return inWords(readFrame(frame));
    top ??= frame;
  }
  return top === null ? '' : inWords(readFrame(top));
}

/** The frames of a stack, the last one on top; some senders leave out the object around them. */
export function framesOf(stack: unknown): readonly unknown[] {
  return Array.isArray(stack) ? stack : listOf(asObject(stack)?.['frames']);
}

/** Whether a frame is the application's own code, which SDKs in browsers leave undecided. */
function isOwn(frame: Json): boolean {
  if (frame['in_app'] === false) return false;
  const file = lineOf(frame['filename'] ?? frame['abs_path'], 500);
  return !/^(?:node:|<anonymous>|\[native|(?:chrome|moz|safari-web)-extension:)|\/node_modules\//.test(file);
}

function readFrame(frame: Json): Frame {
  const file =
    lineOf(frame['filename'], 500) || lineOf(frame['abs_path'], 500) || lineOf(frame['module'], 500);
  return { file: stableFile(file), name: stableName(lineOf(frame['function'], 200)) };
}

function inWords({ file, name }: Frame): string {
  return [file, name].filter((part) => part !== '').join(' · ');
}

/** The last parts of a file's path, without what changes with each build or machine. */
export function stableFile(address: string): string {
  const path = address
    .replace(/[?#].*$/s, '')
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
    .replaceAll('\\', '/');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
  return parts.slice(-partsShown).map(withoutHash).join('/');
}

/** `main-1a2b3c4d.js` → `main.js`; a name that is only a hash → `*`. */
function withoutHash(part: string): string {
  const ending = extension.exec(part)?.[0] ?? '';
  const name = part.slice(0, part.length - ending.length);
  // Base64 hashes may hold hyphens; those of Vite and Rollup have eight characters.
  const tail = /[-.]([\w-]{8})$/.exec(name);
  if (tail !== null && looksRandom(tail[1] ?? '')) return `${name.slice(0, tail.index)}${ending}`;
  const pieces = name.split(/(?<=[-._~])|(?=[-._~])/);
  const kept = pieces.filter((piece) => !looksRandom(piece)).join('');
  const tidy = kept.replaceAll(/([-._~]){2,}/g, '$1').replaceAll(/^[-.~]+|[-._~]+$/g, '');
  return tidy === '' ? `*${ending}` : tidy + ending;
}

/** Whether a part of a name was computed: hexadecimal with digits, digits, or letters and digits mixed. */
function looksRandom(text: string): boolean {
  if (text.length < 6 || text.length > 64) return false;
  if (/^[0-9a-f]+$/i.test(text)) return /\d/.test(text);
  if (text.length < 8 || !/^[\w-]+$/.test(text)) return false;
  const digits = text.replaceAll(/\D/g, '').length;
  const capitals = text.replaceAll(/[^A-Z]/g, '').length;
  const small = text.replaceAll(/[^a-z]/g, '').length;
  // A name has its digits at the end and a capital at the start of each word.
  // There are two expressions, since a single one with repeated words could divide a text in 2^60 ways.
  const isName = /^[A-Za-z][A-Za-z_-]*\d{0,3}$/.test(text) && !/[A-Z](?![a-z])|(?<![a-z])[-_]/.test(text);
  return !isName && (digits > 0 ? capitals + small > 0 : capitals > 1 && small > 0);
}

/** A function's name without what engines add to it; empty where there is no name, or only a minifier's. */
function stableName(name: string): string {
  const bare = name
    .replace(/^(?:async |new |get |set )+/, '')
    .replace(/^(?:Object|Module|global|globalThis|Window|window|exports|Function)\./, '')
    .replace(/\s*\[as [^\]]*\]$/, '');
  return bare.length <= 2 || /^(?:<anonymous>|\(anonymous\)|anonymous|<unknown>|<computed>)$/.test(bare)
    ? ''
    : bare;
}

import { expect, it } from 'vitest';
import { createBrowserSessionMemory } from './browser-session-memory.ts';

/** Behaves like `document.cookie`. */
function cookieJar() {
  const jar = new Map<string, string>();
  const written: string[] = [];
  return {
    written,
    get cookie() {
      return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    },
    set cookie(text: string) {
      written.push(text);
      const [pair = '', ...attributes] = text.split('; ');
      const equals = pair.indexOf('=');
      if (attributes.includes('Max-Age=0')) jar.delete(pair.slice(0, equals));
      else jar.set(pair.slice(0, equals), pair.slice(equals + 1));
    },
  };
}

const location = { port: '3000', protocol: 'http:' };

it('MAINT-2: what one tab writes another reads, until it is forgotten', () => {
  const jar = cookieJar();
  jar.cookie = 'portico_notice_closed_30=other';
  const [one, other] = [createBrowserSessionMemory(jar, location), createBrowserSessionMemory(jar, location)];
  expect(other.read('notice_closed')).toBe(null);
  one.write('notice_closed', 'a;b = c');
  expect(other.read('notice_closed')).toBe('a;b = c');
  one.write('notice_closed', null);
  expect(other.read('notice_closed')).toBe(null);
});

it('MAINT-2: the cookie ends with the browser, belongs to one installation, and to this host alone where it is https', () => {
  const jar = cookieJar();
  createBrowserSessionMemory(jar, location).write('notice_closed', 'x');
  createBrowserSessionMemory(jar, { port: '', protocol: 'https:' }).write('notice_closed', 'x');
  expect(jar.written).toEqual([
    'portico_notice_closed_3000=x; Path=/; SameSite=Strict',
    '__Host-portico_notice_closed=x; Path=/; SameSite=Strict; Secure',
  ]);
});

it('MAINT-2: a browser that refuses cookies stores nothing and breaks nothing', () => {
  const refusing = {
    get cookie(): string {
      throw new DOMException('no', 'SecurityError');
    },
    set cookie(_: string) {
      throw new DOMException('no', 'SecurityError');
    },
  };
  const memory = createBrowserSessionMemory(refusing, location);
  memory.write('notice_closed', 'x');
  expect(memory.read('notice_closed')).toBe(null);
});

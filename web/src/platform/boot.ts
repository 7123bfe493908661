import type { Boot } from '@portico/contract/boot';
import { base } from './base.ts';

/**
 * What the server has written into the page (`contract/boot`).
 *
 * A page that was not asked for below the base path, as without the proxy that takes it off, is loaded again
 * there.
 *
 * @throws Error where the page does not contain it: it was not served by Portico
 */
export function readBoot(page: Document = document): Boot {
  const { pathname, search, hash } = location;
  if (!`${pathname}/`.startsWith(`${base}/`)) location.replace(base + pathname + search + hash);
  const text = page.getElementById('boot')?.textContent ?? '';
  const boot = (text === '' ? {} : JSON.parse(text)) as Partial<Boot>;
  if (boot.flags === undefined) throw new Error('This page carries no configuration.');
  return boot as Boot;
}

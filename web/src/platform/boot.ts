import type { Boot } from '#contract/boot.ts';
import { base } from './base.ts';

/**
 * Loads a page that was not asked for below the base path, as without the proxy that takes it off, again there.
 * Not for pages that stand in the place of an application's page, at its address.
 */
export function stayBelowBase(): void {
  const { pathname, search, hash } = location;
  if (!`${pathname}/`.startsWith(`${base}/`)) location.replace(base + pathname + search + hash);
}

/**
 * What the server has written into the page (`contract/boot`).
 *
 * @throws Error where the page does not contain it: it was not served by Portico
 */
export function readBoot(page: Document = document): Boot {
  const text = page.getElementById('boot')?.textContent ?? '';
  const boot = (text === '' ? {} : JSON.parse(text)) as Partial<Boot>;
  if (boot.flags === undefined) throw new Error('This page carries no configuration.');
  return boot as Boot;
}

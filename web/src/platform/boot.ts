import type { Boot } from '#contract/boot.ts';
import { base } from './base.ts';

/**
 * Loads a page again below the base path if it was requested without that path, as without the proxy that removes
 * it. Not for pages that are shown in place of an application's page, at its address.
 */
export function stayBelowBase(): void {
  const { pathname, search, hash } = location;
  if (!`${pathname}/`.startsWith(`${base}/`)) location.replace(base + pathname + search + hash);
}

/**
 * Reads the boot data that the server has written into the page (`contract/boot`).
 *
 * @throws Error if the page contains none: Portico did not serve it
 */
export function readBoot(page: Document = document): Boot {
  const text = page.getElementById('boot')?.textContent ?? '';
  const boot = (text === '' ? {} : JSON.parse(text)) as Partial<Boot>;
  if (boot.flags === undefined) throw new Error('This page carries no configuration.');
  return boot as Boot;
}

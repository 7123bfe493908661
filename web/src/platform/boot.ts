import type { Boot } from '@portico/contract/boot';

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

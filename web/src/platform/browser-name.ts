import type { BrowserWords } from '#contract/rules/browser-in-words.ts';
import type { TFunction } from 'i18next';

/** A browser and its system, or another client, in words: "Firefox 150 on Windows", as far as they are known. */
export function browserName(t: TFunction, { browser, system }: BrowserWords): string {
  if (browser !== null && system !== null) return t('COMMON.BROWSER.ON', { browser, system });
  return browser ?? system ?? t('COMMON.BROWSER.UNKNOWN');
}

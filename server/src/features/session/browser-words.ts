/** Browser and system, as people call them. */
export type BrowserWords = { browser: string | null; system: string | null };

// Each names those after it in its own, so the order decides.
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
];
const systems: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * What a `User-Agent` names, without versions: enough to distinguish one's own computers, and not enough to
 * be recognized by others.
 */
export function browserWords(userAgent: string | undefined): BrowserWords {
  const text = (userAgent ?? '').slice(0, 512);
  const named = (known: readonly [RegExp, string][]) =>
    known.find(([pattern]) => pattern.test(text))?.[1] ?? null;
  return { browser: named(browsers), system: named(systems) };
}

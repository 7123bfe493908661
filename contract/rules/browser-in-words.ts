// In this order: each also calls itself what stands below it.
const browsers: readonly [RegExp, string][] = [
  [/\bEdgA?\/(\d+)|\bEdgiOS\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+(?:\.\d+)?).* Safari\//, 'Safari'],
];

const systems: readonly [RegExp, string][] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * A user agent in short: `Chrome 156`, `Android`. Null for an unknown one; the whole of it is shown as well.
 */
export function browserInWords(userAgent: string): { browser: string | null; system: string | null } {
  let browser: string | null = null;
  for (const [pattern, name] of browsers) {
    const found = pattern.exec(userAgent);
    if (found === null) continue;
    browser = `${name} ${found[1] ?? found[2] ?? ''}`.trim();
    break;
  }
  return { browser, system: systems.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null };
}

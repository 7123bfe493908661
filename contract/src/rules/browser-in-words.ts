// The order matters: the user agent of each browser also names the browsers below it.
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)?/, 'Edge'],
  [/\b(?:OPR|Opera)\/(\d+)?/, 'Opera'],
  [/\bVivaldi\/(\d+)?/, 'Vivaldi'],
  [/\bSamsungBrowser\/(\d+)?/, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\/(\d+)?/, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\/(\d+)?/, 'Chrome'],
  [/\bVersion\/(\d+(?:\.\d+)?).* Safari\//, 'Safari'],
];

const systems: readonly [RegExp, string][] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Browser and system, as people call them; null where a user agent does not name one that is known. */
export type BrowserWords = { browser: string | null; system: string | null };

/** How many characters of a `User-Agent` header are examined. */
const longest = 512;

/**
 * A user agent in short: `Chrome 156`, `Android`. Without `version` it is `Chrome`: enough to distinguish one's
 * own computers, and not enough to be recognized by others.
 */
export function browserInWords(
  userAgent: string,
  { version = true }: { version?: boolean } = {},
): BrowserWords {
  const text = userAgent.slice(0, longest);
  return {
    browser: browserIn(text, version),
    system: systems.find(([pattern]) => pattern.test(text))?.[1] ?? null,
  };
}

function browserIn(text: string, version: boolean): string | null {
  for (const [pattern, name] of browsers) {
    const found = pattern.exec(text);
    if (found !== null) return version && found[1] !== undefined ? `${name} ${found[1]}` : name;
  }
  return null;
}

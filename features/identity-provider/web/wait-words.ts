const minute = 60_000;

/**
 * A wait in words, such as `5 minutes`: seconds up to two minutes, then minutes, rounded up so that a try
 * after it succeeds.
 *
 * @param milliseconds at least one second is shown
 */
export function waitInWords(milliseconds: number, language: string): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  const [value, unit] = seconds < 120 ? [seconds, 'second'] : [Math.ceil(milliseconds / minute), 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

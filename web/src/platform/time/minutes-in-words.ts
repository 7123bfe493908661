/** `15 minutes`, `1 hour`, `1 day, 9 hours`. */
export function minutesInWords(locale: string, minutes: number): string {
  const parts = [
    ['day', Math.floor(minutes / 1_440)],
    ['hour', Math.floor(minutes / 60) % 24],
    ['minute', minutes % 60],
  ] as const;
  const shown = parts.filter(([unit, count]) => count > 0 || (unit === 'minute' && minutes === 0));
  return new Intl.ListFormat(locale, { type: 'unit', style: 'long' }).format(
    shown.map(([unit, count]) =>
      new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count),
    ),
  );
}

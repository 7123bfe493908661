/** Writes lengths and areas in metric units, with three figures or whole numbers. */
export function createMeasures(locale: string) {
  const write = (value: number, unit: string) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit,
      maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0,
    }).format(value);
  const number = (value: number) =>
    new Intl.NumberFormat(locale, {
      maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0,
    }).format(value);
  return {
    /** @param metres of a line */
    length: (metres: number) => (metres < 1000 ? write(metres, 'meter') : write(metres / 1000, 'kilometer')),
    /** @param squareMetres of an area */
    area(squareMetres: number): string {
      if (squareMetres < 10_000) return `${number(squareMetres)} m²`;
      if (squareMetres < 1_000_000) return `${number(squareMetres / 10_000)} ha`;
      return `${number(squareMetres / 1_000_000)} km²`;
    },
  };
}

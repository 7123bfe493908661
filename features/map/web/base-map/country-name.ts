/**
 * The name of a country in a language, from the browser's own data.
 *
 * @param id three figures (ISO 3166-1, UN M.49), as `world-atlas` has them; null: its name there holds
 */
export function countryName(id: string | null, name: string, language: string): string {
  if (id === null) return name;
  try {
    // The locale knows that `und-276` is `und-DE`.
    const region = new Intl.Locale(`und-${id}`).region;
    const found =
      region === undefined || /^\d/.test(region)
        ? undefined
        : new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(region);
    return found ?? name;
  } catch {
    return name;
  }
}

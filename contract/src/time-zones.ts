/*
 * Names of time zones that were given up for others and that engines still list: some follow CLDR, whose names never change
 * (`Asia/Calcutta`), others the IANA database (`Asia/Kolkata`). Portico names every zone as IANA does now.
 *
 * From the IANA time zone database, release 2026c: what `Intl.supportedValuesOf('timeZone')` of an engine that follows CLDR 48
 * lists and `zone.tab` does not, with the zone of the same place by the file `backward`.
 */
const presentOf: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Etc/UTC': 'UTC',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** Returns the present IANA name of a zone; a text that is no older name of a zone is returned unchanged. */
export function presentTimeZone(name: string): string {
  return Object.hasOwn(presentOf, name) ? (presentOf[name] ?? name) : name;
}

/** The names that a zone had before, by its present name; none for most. */
export function olderTimeZones(present: string): readonly string[] {
  return Object.keys(presentOf).filter((older) => presentOf[older] === present);
}

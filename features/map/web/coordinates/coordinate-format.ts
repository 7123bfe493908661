import { northmost, type Place, toMercator, wrapped } from './place.ts';
import { toUtm } from './utm.ts';
import { useTranslation } from 'react-i18next';
import { storedChoice } from '#web/platform/state/stored-choice.ts';
import { useStore } from '#web/platform/state/use-store.ts';

/** How coordinates are written: three ways of degrees (WGS 84), UTM, and metres of the map (EPSG:3857). */
export const coordinateFormats = ['degrees', 'minutes', 'seconds', 'utm', 'mercator'] as const;
export type CoordinateFormat = (typeof coordinateFormats)[number];

/** The letters of the four directions in a language. */
export type Directions = Readonly<Record<'north' | 'south' | 'east' | 'west', string>>;

/**
 * A place as text that `parsePlace` can read. Places outside the zones of UTM are written in degrees.
 *
 * @param precision in metres: decimals of degrees that are finer than this are left out
 */
export function formatPlace(
  place: Place,
  format: CoordinateFormat,
  letters: Directions,
  precision = 1,
): string {
  const longitude = wrapped(place[0]);
  const latitude = Math.max(-90, Math.min(90, place[1]));
  if (format === 'mercator') {
    const [x, y] = toMercator([longitude, Math.max(-northmost, Math.min(northmost, latitude))]);
    return `${Math.round(x)}, ${Math.round(y)}`;
  }
  const utm = format === 'utm' ? toUtm([longitude, latitude]) : null;
  if (utm !== null) return `${utm.zone}${utm.band} ${Math.round(utm.easting)} ${Math.round(utm.northing)}`;
  const angle = format === 'minutes' ? minutes : format === 'seconds' ? seconds : degreesTo(precision);
  const [north, east] = [angle(latitude), angle(longitude)];
  return `${north} ${latitude < 0 ? letters.south : letters.north}, ${east} ${longitude < 0 ? letters.west : letters.east}`;
}

/** A degree is about 100 km. */
const degreesTo = (metres: number) => (angle: number) =>
  `${Math.abs(angle).toFixed(Math.min(5, Math.max(1, Math.round(5 - Math.log10(metres)))))}°`;

function minutes(angle: number): string {
  const thousandths = Math.round(Math.abs(angle) * 60_000);
  const rest = (thousandths % 60_000) / 1000;
  return `${Math.floor(thousandths / 60_000)}° ${rest.toFixed(3).padStart(6, '0')}′`;
}

function seconds(angle: number): string {
  const tenths = Math.round(Math.abs(angle) * 36_000);
  const rest = (tenths % 600) / 10;
  const whole = String(Math.floor(tenths / 600) % 60).padStart(2, '0');
  return `${Math.floor(tenths / 36_000)}° ${whole}′ ${rest.toFixed(1).padStart(4, '0')}″`;
}

const chosen = storedChoice('portico.map.coordinates', coordinateFormats);

export type ChosenFormat = {
  format: CoordinateFormat;
  letters: Directions;
  choose: (format: CoordinateFormat) => void;
  write: (place: Place, precision?: number) => string;
};

/** The person's choice of coordinate format, stored in this browser. */
export function useCoordinateFormat(): ChosenFormat {
  const { t } = useTranslation();
  const format = useStore(chosen);
  const letters = {
    north: t('MAP.DIRECTIONS.NORTH'),
    south: t('MAP.DIRECTIONS.SOUTH'),
    east: t('MAP.DIRECTIONS.EAST'),
    west: t('MAP.DIRECTIONS.WEST'),
  };
  return {
    format,
    letters,
    choose: chosen.set,
    write: (place, precision) => formatPlace(place, format, letters, precision),
  };
}

import type { Directions } from './coordinate-format.ts';
import { fromMercator, type Place } from './place.ts';
import { fromUtm } from './utm.ts';

const utmText = /^(\d{1,2})\s*([C-HJ-NP-X])\s+(\d{5,7}(?:\.\d+)?)\s*m?\s*[,;]?\s+(\d{1,8}(?:\.\d+)?)\s*m?$/i;
const worldEdge = 20_037_508.35;
const leastMetres = 1000;
const longest = 100;

type Axis = 'latitude' | 'longitude';
type Angle = { value: number; axis: Axis | null };

/**
 * Reads coordinates as people write and paste them: degrees, with minutes and seconds or without, UTM, metres
 * of the map, and `geo:` addresses. Without letters latitude comes first, as in most programs.
 *
 * @param letters of the person's language, understood in addition to the English ones
 * @returns null for a text that is no place on the earth
 */
export function parsePlace(text: string, letters: Directions): Place | null {
  const typed = text.trim();
  if (typed === '' || typed.length > longest) return null;
  const utm = utmText.exec(typed);
  if (utm !== null) return readUtm(utm);
  const plain = typed.replace(/^geo:/i, '').replace(/[;?].*$/, (rest) => (/^geo:/i.test(typed) ? '' : rest));
  const halves = split(plain.toUpperCase(), letters);
  if (halves === null) return null;
  const [first, second] = [readAngle(halves[0], letters), readAngle(halves[1], letters)];
  if (first === null || second === null) return null;
  return ordered(first, second);
}

function ordered(first: Angle, second: Angle): Place | null {
  const none = first.axis === null && second.axis === null;
  if (none && (Math.abs(first.value) > 180 || Math.abs(second.value) > 180)) {
    const farthest = Math.max(Math.abs(first.value), Math.abs(second.value));
    // Smaller numbers are mistyped angles rather than metres.
    if (farthest < leastMetres || farthest > worldEdge) return null;
    return fromMercator([first.value, second.value]);
  }
  if (!none && (first.axis === null || second.axis === null || first.axis === second.axis)) return null;
  const [latitude, longitude] =
    first.axis === 'longitude' ? [second.value, first.value] : [first.value, second.value];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? [longitude, latitude] : null;
}

function readUtm([, zone, band, easting, northing]: RegExpExecArray): Place | null {
  const number = Number(zone);
  if (number < 1 || number > 60) return null;
  const [east, north] = [Number(easting), Number(northing)];
  if (east < 100_000 || east > 900_000 || north > 10_000_000) return null;
  const [longitude, latitude] = fromUtm({
    zone: number,
    band: (band ?? '').toUpperCase(),
    easting: east,
    northing: north,
  });
  if (Math.abs(latitude) > 84.5) return null;
  return [longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude, latitude];
}

/**
 * Splits a text into its two angles: at a semicolon, at a comma that a space follows or that stands between numbers
 * with points, after the letter of the first angle, or at the space in the middle.
 */
function split(text: string, letters: Directions): [string, string] | null {
  const separated = [/\s*;\s*/, /,\s+/, /(?<=[^\d\s]\s*),|(?<=\.\d+),|,(?=-?\d+\.)/].map((by) =>
    text.split(by),
  );
  for (const parts of separated) {
    const [first, second, ...more] = parts;
    if (first !== undefined && second !== undefined && more.length === 0) return [first, second];
  }
  const all = allLetters(letters);
  const lettered =
    new RegExp(`^([^${all}]+[${all}])\\s*([^${all}]+[${all}])$`).exec(text) ??
    new RegExp(`^([${all}][^${all}]+)([${all}][^${all}]+)$`).exec(text);
  if (lettered !== null) return [lettered[1] ?? '', lettered[2] ?? ''];
  const commas = text.split(',');
  if (commas.length === 2) return [commas[0] ?? '', commas[1] ?? ''];
  const words = text.split(/\s+/);
  const half = words.length / 2;
  if (!Number.isInteger(half)) return null;
  return [words.slice(0, half).join(' '), words.slice(half).join(' ')];
}

const allLetters = (letters: Directions) => `NSEW${Object.values(letters).join('')}`.toUpperCase();

/** The direction of a letter, first in `letters`, then in English: `O` is east in German and west in French. */
function directionOf(letter: string, letters: Directions): [Axis, 1 | -1] {
  const isOne = (name: keyof Directions) => letters[name].toUpperCase() === letter;
  if (isOne('north')) return ['latitude', 1];
  if (isOne('south')) return ['latitude', -1];
  if (isOne('east')) return ['longitude', 1];
  if (isOne('west')) return ['longitude', -1];
  if (letter === 'N' || letter === 'S') return ['latitude', letter === 'N' ? 1 : -1];
  return ['longitude', letter === 'E' ? 1 : -1];
}

function readAngle(text: string, letters: Directions): Angle | null {
  const all = allLetters(letters);
  const found = new RegExp(`^\\s*([${all}])?\\s*([^${all}]+?)\\s*([${all}])?\\s*$`).exec(text);
  if (found === null) return null;
  const [, before, numbers = '', after] = found;
  if (before !== undefined && after !== undefined) return null;
  const parts =
    /^([+\-−]?)(\d+(?:[.,]\d+)?)\s*[°º]?(?:\s*(\d+(?:[.,]\d+)?)\s*['′’]?(?:\s*(\d+(?:[.,]\d+)?)\s*(?:["″”]|'')?)?)?$/.exec(
      numbers,
    );
  if (parts === null) return null;
  const [, sign, ...figures] = parts;
  const [whole, minutes = 0, seconds = 0] = figures
    .filter((figure) => figure !== undefined)
    .map((figure) => Number(figure.replace(',', '.')));
  if (whole === undefined || minutes >= 60 || seconds >= 60) return null;
  if (figures[1] !== undefined && !Number.isInteger(whole)) return null;
  const value = (sign === '' || sign === '+' ? 1 : -1) * (whole + minutes / 60 + seconds / 3600);
  const letter = before ?? after;
  if (letter === undefined) return { value, axis: null };
  if (value < 0) return null;
  const [axis, factor] = directionOf(letter, letters);
  return { value: value * factor, axis };
}

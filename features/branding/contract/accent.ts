/*
 * The accent colour of an installation: from the one that an operator chooses, the shades that keep its text readable on
 * light and on dark (WCAG 2.2, 1.4.3). Server and web share it, so that the preview shows what the server will send.
 */

/** Red, green, blue, each from 0 to 1. */
type Rgb = readonly [number, number, number];
/** Lightness from 0 to 1, chroma, hue in radians. */
type Oklch = { l: number; c: number; h: number };

/** What is drawn with the accent in one scheme, each `#rrggbb`. */
export type AccentShades = {
  accent: string;
  /** Under the pointer. */
  strong: string;
  /** Text on it. */
  ink: string;
  /** The background of what is selected. */
  weak: string;
};

export type AccentPalette = {
  light: AccentShades;
  dark: AccentShades;
  /** The lowest contrast of the chosen colour itself, and whether it is readable as it is. */
  chosen: { light: { contrast: number; readable: boolean }; dark: { contrast: number; readable: boolean } };
};

export const leastContrast = 4.5;

/** What the accent stands on, as in the palette of the web: paper, surface, sunk. */
const grounds = {
  light: ['#faf9f6', '#ffffff', '#f2f0eb'],
  dark: ['#131618', '#1a1e21', '#0e1113'],
} as const;
/** How the background of a selection is mixed: the ground colour, and the part of the accent in it. */
const weakOn = { light: { ground: '#ffffff', part: 0.12 }, dark: { ground: '#131618', part: 0.16 } } as const;
const inks = ['#ffffff', '#0c1112'] as const;
/** A margin for rounding to whole steps of a channel. */
const margin = 0.02;

/**
 * Reads a colour.
 *
 * @param text `#rgb` or `#rrggbb`, in any case
 * @returns `#rrggbb` in lower case, or null for any other text
 */
export function readColour(text: string): string | null {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text);
  const whole =
    short === null
      ? text
      : `#${short
          .slice(1)
          .map((digit) => digit + digit)
          .join('')}`;
  return /^#[0-9a-f]{6}$/i.test(whole) ? whole.toLowerCase() : null;
}

/**
 * The shades for a colour. Hue and chroma stay as far as they can; lightness moves until every text reaches
 * 4.5:1.
 *
 * @param colour `#rrggbb`
 */
export function accentPalette(colour: string): AccentPalette {
  return {
    light: shadesFor(colour, 'light'),
    dark: shadesFor(colour, 'dark'),
    chosen: { light: chosenOn(colour, 'light'), dark: chosenOn(colour, 'dark') },
  };
}

/** The shades as a style sheet after the web's own palette, which it overrides. */
export function accentCss({ light, dark }: AccentPalette): string {
  return (
    `:root,[data-theme='light']{${shadesCss(light)}}[data-theme='dark']{${shadesCss(dark)}}` +
    `@media (prefers-color-scheme:dark){:root:not([data-theme='light']){${shadesCss(dark)}}}`
  );
}

function shadesCss({ accent, strong, ink, weak }: AccentShades): string {
  return `--accent:${accent};--accent-strong:${strong};--accent-ink:${ink};--accent-weak:${weak}`;
}

type Scheme = 'light' | 'dark';

function chosenOn(colour: string, scheme: Scheme): { contrast: number; readable: boolean } {
  const contrast = lowestContrast(colour, scheme);
  return { contrast: Math.floor(contrast * 10) / 10, readable: contrast >= leastContrast };
}

/** The lowest contrast of any text in this accent or on it. */
function lowestContrast(accent: string, scheme: Scheme): number {
  const behind = [...grounds[scheme], weakOf(accent, scheme)];
  return Math.min(...behind.map((ground) => contrastOf(accent, ground)), contrastOf(inkOn(accent), accent));
}

function shadesFor(colour: string, scheme: Scheme): AccentShades {
  const direction = scheme === 'light' ? -1 : 1;
  const wanted = oklchOf(colour);
  let accent = colour;
  for (let step = 1; lowestContrast(accent, scheme) < leastContrast + margin && step <= 200; step += 1) {
    accent = hexOf({ ...wanted, l: clamp(wanted.l + direction * step * 0.005) });
  }
  const ink = inkOn(accent);
  return { accent, strong: strongOf(accent, ink, direction), ink, weak: weakOf(accent, scheme) };
}

/** Moves the accent away from the background where the contrast of its text allows it, else towards it. */
function strongOf(accent: string, ink: string, direction: number): string {
  const of = oklchOf(accent);
  const [away, back] = [direction, -direction].map((way) => hexOf({ ...of, l: clamp(of.l + way * 0.07) }));
  return away !== undefined && away !== accent && contrastOf(ink, away) >= leastContrast
    ? away
    : back !== undefined && contrastOf(ink, back) >= leastContrast
      ? back
      : accent;
}

function inkOn(accent: string): string {
  const [light, dark] = inks;
  return contrastOf(light, accent) >= contrastOf(dark, accent) ? light : dark;
}

function weakOf(accent: string, scheme: Scheme): string {
  const { ground, part } = weakOn[scheme];
  const [from, to] = [rgbOf(ground), rgbOf(accent)];
  return hexOfRgb([mix(from[0], to[0], part), mix(from[1], to[1], part), mix(from[2], to[2], part)]);
}

/** Contrast of two colours (WCAG 2.2), from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [brighter = 0, darker = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a);
  return (brighter + 0.05) / (darker + 0.05);
}

function luminanceOf(colour: string): number {
  const [r, g, b] = linear(rgbOf(colour));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function rgbOf(colour: string): Rgb {
  const channel = (from: number) => Number.parseInt(colour.slice(from, from + 2), 16) / 255;
  return [channel(1), channel(3), channel(5)];
}

function hexOfRgb(rgb: Rgb): string {
  const digits = rgb.map((channel) =>
    Math.round(clamp(channel) * 255)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${digits.join('')}`;
}

function linear([r, g, b]: Rgb): Rgb {
  const one = (channel: number) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  return [one(r), one(g), one(b)];
}

function gamma([r, g, b]: Rgb): Rgb {
  const one = (channel: number) =>
    channel <= 0.0031308 ? channel * 12.92 : 1.055 * Math.max(channel, 0) ** (1 / 2.4) - 0.055;
  return [one(r), one(g), one(b)];
}

// OKLab (CSS Color 4, 9.2 and its sample code): equal steps of lightness look equal, and the hue stays.
function oklchOf(colour: string): Oklch {
  const [r, g, b] = linear(rgbOf(colour));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, bb),
    h: Math.atan2(bb, a),
  };
}

function linearOf({ l: lightness, c, h }: Oklch): Rgb {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** The colour as `#rrggbb`, with as much of its chroma as a screen can show at its lightness. */
function hexOf(colour: Oklch): string {
  const fits = (c: number) =>
    linearOf({ ...colour, c }).every((channel) => channel >= -0.0005 && channel <= 1.0005);
  let [most, least] = [colour.c, 0];
  if (!fits(most)) {
    for (let step = 0; step < 20; step += 1) {
      const middle = (most + least) / 2;
      if (fits(middle)) least = middle;
      else most = middle;
    }
    most = least;
  }
  return hexOfRgb(gamma(linearOf({ ...colour, c: most })));
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function mix(from: number, to: number, part: number): number {
  return from + (to - from) * part;
}

import * as z from 'zod/mini';
import { peopleNames } from '#features/people/contract/names.ts';
import { route } from '#contract/route.ts';
import { id, instant, line, version, webAddress } from '#contract/text.ts';
import { accentPalette } from './accent.ts';

/** What a mark may be: bytes of the file, pixels of a side of a PNG. */
export const markLimits = { bytes: 262_144, pixels: 2_048 } as const;

/** What the picture next to the sign-in may be: bytes of the file, pixels of a side. */
export const pictureLimits = { bytes: 1_048_576, pixels: 4_096 } as const;

/** The name of the product where none is set. */
export const ownName = 'Portico';

const storedPicture = z.object({ url: z.string(), contentType: z.string(), bytes: z.number() });

/** The look of the installation; null is Portico's default. */
export const branding = z.object({
  name: z.nullable(z.string()),
  /** `#rrggbb`, as it was chosen; what is drawn with it is `accentPalette`. */
  accent: z.nullable(z.string()),
  mark: z.nullable(storedPicture),
  /** What pages show as the mark: `mark`, the first letter of the name, or null for Portico's own. */
  shownMark: z.nullable(storedPicture),
  /** The picture next to the sign-in, on wide windows. */
  picture: z.nullable(storedPicture),
  /** On the maintenance page: an email address, an http or https address, or how else to reach someone. */
  contact: z.nullable(z.string()),
  /** On the maintenance page: where the state of the installation is reported. */
  statusUrl: z.nullable(z.string()),
  changedAt: z.nullable(instant),
  changedBy: z.nullable(z.string()),
  names: peopleNames,
  version,
});
export type Branding = z.infer<typeof branding>;

const access = { right: 'SETTINGS_WRITE' } as const;

function sentPicture(bytes: number) {
  return z.strictObject({
    data: z.string().check(z.minLength(1), z.maxLength(Math.ceil(bytes / 3) * 4)),
  });
}

export const getBranding = route({
  method: 'GET',
  path: '/v1/branding',
  summary: 'What an installation shows of itself: name, mark, colour, picture, contact',
  access,
  closed: 'open',
  answer: branding,
});

export const setBranding = route({
  method: 'PUT',
  path: '/v1/branding',
  summary:
    'Changes what an installation shows of itself; null is Portico’s own or none, what is left out of mark, picture, contact and status stays',
  access,
  // A mark and a picture of the largest size in base64.
  bodyLimit: 1_835_008,
  body: z.strictObject({
    name: z.nullable(line(1, 40)),
    accent: z.nullable(z.string().check(z.regex(/^#[0-9A-Fa-f]{6}$/))),
    /** An SVG or PNG in base64. */
    mark: z.optional(z.nullable(sentPicture(markLimits.bytes))),
    /** An SVG, PNG or JPEG in base64. */
    picture: z.optional(z.nullable(sentPicture(pictureLimits.bytes))),
    contact: z.optional(z.nullable(line(1, 200))),
    statusUrl: z.optional(z.nullable(webAddress)),
    version,
  }),
  answer: branding,
});

export const getMark = route({
  method: 'GET',
  path: '/v1/branding/mark/:markId',
  summary:
    'The mark or the picture next to the sign-in, under an address that changes with it; only for `<img>`',
  access: 'public',
  closed: 'open',
  params: z.object({ markId: id }),
  answer: { raw: 'image/*' },
});

export const securityTxt = route({
  method: 'GET',
  path: '/.well-known/security.txt',
  summary:
    'Where to report a vulnerability of the installation (RFC 9116): the contact, where it is an address',
  access: 'public',
  closed: 'open',
  answer: { raw: 'text/plain' },
});

/** The link of a contact that is an email or web address; null: the contact is plain text, such as a room. */
export function contactLink(contact: string): string | null {
  if (/^https?:\/\/[^\s@]+$/i.test(contact)) return contact;
  if (/^[^\s@<>"?&]+@[^\s@<>"?&]+\.[^\s@<>"?&]+$/.test(contact)) return `mailto:${contact}`;
  const number = contact.replaceAll(/[\s()./-]/g, '');
  return /^\+?\d{4,20}$/.test(number) ? `tel:${number}` : null;
}

/** Portico's own accent, where none is chosen. */
export const ownAccent = '#0b5e63';

/**
 * The mark of an installation that has a name of its own and no picture for it: the name's first letter on the
 * accent colour, as SVG. Portico's own mark would stand next to a foreign name otherwise.
 *
 * @param accent `#rrggbb`, or null: Portico's own
 */
export function monogramOf(name: string, accent: string | null): string {
  const { accent: ground, ink } = accentPalette(accent ?? ownAccent).light;
  const [letter = ''] = name.trim();
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">' +
    `<rect width="24" height="24" rx="5.5" fill="${ground}"/>` +
    '<text x="12" y="12" dy=".36em" font-family="system-ui,sans-serif" font-size="14" font-weight="650" ' +
    `text-anchor="middle" fill="${ink}">&#${letter.toUpperCase().codePointAt(0) ?? 63};</text></svg>`
  );
}

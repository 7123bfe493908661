import * as z from 'zod/mini';
import { peopleNames } from './people/names.ts';
import { route } from './route.ts';
import { id, instant, line, version } from './text.ts';

/** What a mark may be: bytes of the file, pixels of a side of a PNG. */
export const markLimits = { bytes: 262_144, pixels: 2_048 } as const;

/** The name of the product where none is set. */
export const ownName = 'Portico';

/** The look of the installation; null is Portico's default. */
export const branding = z.object({
  name: z.nullable(z.string()),
  /** `#rrggbb`, as it was chosen; what is drawn with it is `accentPalette`. */
  accent: z.nullable(z.string()),
  mark: z.nullable(z.object({ url: z.string(), contentType: z.string(), bytes: z.number() })),
  changedAt: z.nullable(instant),
  changedBy: z.nullable(z.string()),
  names: peopleNames,
  version,
});
export type Branding = z.infer<typeof branding>;

const access = { right: 'SETTINGS_WRITE' } as const;

export const getBranding = route({
  method: 'GET',
  path: '/v1/branding',
  summary: 'Name, mark and accent colour of the installation',
  access,
  closed: 'open',
  answer: branding,
});

export const setBranding = route({
  method: 'PUT',
  path: '/v1/branding',
  summary: 'Changes name, mark and accent colour; null is Portico’s own, a mark that is left out stays',
  access,
  // A mark of the largest size in base64.
  bodyLimit: 393_216,
  body: z.strictObject({
    name: z.nullable(line(1, 40)),
    accent: z.nullable(z.string().check(z.regex(/^#[0-9A-Fa-f]{6}$/))),
    mark: z.optional(
      z.nullable(
        z.strictObject({
          /** An SVG or PNG in base64. */
          data: z.string().check(z.minLength(1), z.maxLength(Math.ceil(markLimits.bytes / 3) * 4)),
        }),
      ),
    ),
    version,
  }),
  answer: branding,
});

export const getMark = route({
  method: 'GET',
  path: '/v1/branding/mark/:markId',
  summary: 'The mark, under an address that changes with it; only for `<img>`',
  access: 'public',
  closed: 'open',
  params: z.object({ markId: id }),
  answer: { raw: 'image/*' },
});

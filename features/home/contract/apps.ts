import * as z from 'zod/mini';
import { markLimits } from '#features/branding/contract/branding.ts';
import { textsByLanguage } from './home.ts';
import { rightName } from '#features/permissions/contract/administration.ts';
import { route } from '#contract/route.ts';
import { id, line, version, webAddress, webAddressLimit } from '#contract/text.ts';

/** How many applications may be listed, those behind the gateway aside. */
export const mostApps = 200;
export const appLimits = { name: 60, description: 120, address: webAddressLimit } as const;

/** What is shown of an application, and to whom. */
const look = {
  name: line(1, appLimits.name),
  names: z.strictObject({
    en: line(0, appLimits.name),
    de: line(0, appLimits.name),
    fr: line(0, appLimits.name),
  }),
  description: line(0, appLimits.description),
  descriptions: z.strictObject({
    en: line(0, appLimits.description),
    de: line(0, appLimits.description),
    fr: line(0, appLimits.description),
  }),
  /** The right that is needed to see the tile; null: none. */
  right: z.nullable(rightName),
  /** As a mark: an SVG or PNG in base64; null removes it, left out it stays. */
  picture: z.optional(
    z.nullable(
      z.strictObject({
        data: z.string().check(z.minLength(1), z.maxLength(Math.ceil(markLimits.bytes / 3) * 4)),
      }),
    ),
  ),
};

// A picture of the largest size in base64, and the texts.
const bodyLimit = 393_216;

/** An application as operators manage it. */
export const managedApp = z.object({
  /** The key in the order and in the audit: an id, or `~` and the name of an application behind the gateway. */
  key: z.string(),
  /** The id of an application that operators listed; null: it is behind the gateway. */
  id: z.nullable(z.string()),
  /** Its name in the configuration of the gateway, or null. */
  upstream: z.nullable(z.string()),
  name: z.string(),
  names: textsByLanguage,
  description: z.string(),
  descriptions: textsByLanguage,
  address: z.string(),
  right: z.nullable(z.string()),
  /** Whether the right is in the catalogue, so that someone can hold it. */
  rightIsKnown: z.boolean(),
  /** The right that the gateway asks for at its first page, or null. */
  gatewayRight: z.nullable(z.string()),
  picture: z.nullable(z.string()),
  /** Whether an application behind the gateway has a tile. */
  shown: z.boolean(),
  /** Null: it is behind the gateway, and its tile was not changed yet. */
  version: z.nullable(version),
});
export type ManagedApp = z.infer<typeof managedApp>;

const access = { right: 'SETTINGS_WRITE' } as const;

export const listApps = route({
  method: 'GET',
  path: '/v1/home/apps',
  summary:
    'Every application with a tile on the home screen, or without one behind the gateway, in their order',
  access,
  answer: z.object({ apps: z.array(managedApp), most: z.number(), orderVersion: version }),
});

export const addApp = route({
  method: 'POST',
  path: '/v1/home/apps',
  summary: 'Lists an application on the home screen',
  access,
  creates: true,
  bodyLimit,
  body: z.strictObject({ ...look, address: webAddress }),
  status: 201,
  answer: managedApp,
});

export const changeApp = route({
  method: 'PUT',
  path: '/v1/home/apps/:id',
  summary: 'Changes an application of the home screen',
  access,
  bodyLimit,
  params: z.object({ id }),
  body: z.strictObject({ ...look, address: webAddress, version }),
  answer: managedApp,
});

export const removeApp = route({
  method: 'DELETE',
  path: '/v1/home/apps/:id',
  summary: 'Removes an application from the home screen',
  access,
  params: z.object({ id }),
  answer: 'nothing',
});

export const changeGatewayApp = route({
  method: 'PUT',
  path: '/v1/home/gateway-apps/:upstream',
  summary: 'Changes the tile of an application behind the gateway; its address is the configuration’s',
  access,
  bodyLimit,
  params: z.object({ upstream: id }),
  /** `version` is null where nothing about the application was changed before. */
  body: z.strictObject({ ...look, shown: z.boolean(), version: z.nullable(version) }),
  answer: managedApp,
});

export const orderApps = route({
  method: 'PUT',
  path: '/v1/home/order',
  summary: 'Orders the tiles by the keys of their applications; those that are not named follow by name',
  access,
  body: z.strictObject({
    keys: z.array(z.string().check(z.regex(/^~?[A-Za-z0-9_-]{1,64}$/))).check(z.maxLength(mostApps + 100)),
    version,
  }),
  answer: z.object({ orderVersion: version }),
});

import * as z from 'zod/mini';
import { liveList } from '#contract/live-list.ts';
import { route } from '#contract/route.ts';
import { id, instant } from '#contract/text.ts';

/** Published when the home screen changes for some people: each browser then loads it again for its person. */
export const homeList = liveList({ list: 'home', receivers: 'everyone' });

/** A text in each language; empty where the plain one is used. */
export const textsByLanguage = z.object({ en: z.string(), de: z.string(), fr: z.string() });
export type TextsByLanguage = z.infer<typeof textsByLanguage>;

/** An application as a tile of the home screen. */
export const homeApp = z.object({
  key: z.string(),
  name: z.string(),
  names: textsByLanguage,
  description: z.string(),
  descriptions: textsByLanguage,
  /** Where `<img>` loads it from; null: there is none. */
  picture: z.nullable(z.string()),
  /** http or https. */
  address: z.string(),
  /** Whether it is behind the gateway. */
  behindGateway: z.boolean(),
});
export type HomeApp = z.infer<typeof homeApp>;

/** The next window that limits what people can do, from its planning on. */
export const nextMaintenance = z.object({
  mode: z.enum(['read-only', 'full']),
  startsAt: instant,
  endsAt: instant,
});

export const home = z.object({
  /** The applications that the caller may open, in the operators' order. */
  apps: z.array(homeApp),
  nextMaintenance: z.nullable(nextMaintenance),
});
export type Home = z.infer<typeof home>;

export const getHome = route({
  method: 'GET',
  path: '/v1/home',
  summary: 'The applications that the caller may open, and the next maintenance (HOME-1)',
  access: 'signed-in',
  answer: home,
});

export const getAppPicture = route({
  method: 'GET',
  path: '/v1/home/pictures/:pictureId',
  summary: 'The picture of an application, under an address that changes with it; only for `<img>`',
  access: 'public',
  closed: 'open',
  params: z.object({ pictureId: id }),
  answer: { raw: 'image/*' },
});

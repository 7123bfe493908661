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

/** Something that happened to the caller's account. */
const ownChange = z.object({
  id,
  at: instant,
  kind: z.enum([
    'roles',
    'groups',
    'rights',
    'password',
    'password-removed',
    'factor-added',
    'factor-removed',
    'factors-reset',
    'recovery-codes',
    'new-browser',
    'sign-in-failed',
    'sign-in-slowed',
    'profile',
    'email',
    'signed-out',
  ]),
  /** Whether the caller did it. If not: an operator, the identity provider, or a stranger who tried to sign in. */
  byCaller: z.boolean(),
  /** The browser of the change, such as `Firefox 150 (Windows)`, unless it was an operator's; null: not known. */
  client: z.nullable(z.string()),
  /** The network that a sign-in came from, a /24 or /48; null: not known. */
  network: z.nullable(z.string()),
  /** Roles or rights that were given and taken, by key, with the name that an operator gave them. */
  given: z.array(z.object({ key: z.string(), name: z.nullable(z.string()) })),
  taken: z.array(z.object({ key: z.string(), name: z.nullable(z.string()) })),
});
export type OwnChange = z.infer<typeof ownChange>;

export const listOwnChanges = route({
  method: 'GET',
  path: '/v1/own-changes',
  summary:
    "What happened to the caller's account in the last 30 days, the latest first, at most 50 (HOME-2, SES-14)",
  access: 'signed-in',
  answer: z.array(ownChange),
});

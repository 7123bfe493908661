import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import * as flags from './flags.ts';
import * as health from './health.ts';
import * as identityProvider from './identity-provider.ts';
import * as maintenance from './maintenance.ts';
import * as pages from './pages.ts';
import * as people from './people.ts';
import * as permissions from './permissions.ts';
import * as profile from './profile.ts';
import * as rightsAdministration from './rights-administration.ts';
import { whileClosed, type Route } from './route.ts';
import * as session from './session.ts';

const capabilities = [
  flags,
  health,
  identityProvider,
  maintenance,
  pages,
  people,
  permissions,
  profile,
  rightsAdministration,
  session,
];
const declared = capabilities
  .flatMap((capability) => Object.entries<unknown>(capability))
  .filter((entry): entry is [name: string, route: Route] => isRoute(entry[1]));

function isRoute(value: unknown): value is Route {
  return (
    typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
  );
}

const isPage = ({ answer }: Route) =>
  typeof answer === 'object' && 'raw' in answer && answer.raw === 'text/html';

/** The names of an object schema's fields. */
function fieldsOf(schema: Route['params']): string[] {
  if (schema === undefined) return [];
  return Object.keys(
    (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as { properties?: object }).properties ??
      {},
  );
}

/** The kinds that a body may be of: most are of one. */
const kindsOf = (body: z.ZodMiniType) =>
  body instanceof z.ZodMiniDiscriminatedUnion ? (body.def.options as z.ZodMiniType[]) : [body];

const parametersOf = ({ path }: Route) => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

describe('what the contract declares', () => {
  it('API-1: has no two routes of the same method and path', () => {
    const places = declared.map(([, route]) => `${route.method} ${route.path.replaceAll(/:\w+/g, ':')}`);
    expect(places.length).toBeGreaterThan(20);
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
  });

  it.each(declared)('API-1: %s has a path whose parameters its schema checks', (_name, route) => {
    expect(route.path).toMatch(/^\/($|[^?#\s]*[^/]$)/);
    expect(fieldsOf(route.params).toSorted()).toEqual(parametersOf(route).toSorted());
    expect(route.summary).toMatch(/^\S.{3,}[^.\s]$/);
  });

  it.each(declared)('RIGHT-8: %s says who may call it', (_name, route) => {
    const { access } = route;
    const words = typeof access === 'string' ? [access] : [];
    expect(['public', 'signed-in', 'session', 'client-key', 'one-time-link']).toEqual(
      expect.arrayContaining(words),
    );
    const rights = typeof access === 'string' ? [] : ['right' in access ? access.right : access.orRight];
    expect(permissions.right.options).toEqual(expect.arrayContaining(rights));
    const self = typeof access === 'object' && 'self' in access ? [access.self] : [];
    expect(parametersOf(route)).toEqual(expect.arrayContaining(self));
    expect(parametersOf(route)).toEqual(expect.arrayContaining(access === 'client-key' ? ['clientKey'] : []));
  });

  it.each(declared.filter(([, route]) => route.body !== undefined))(
    'API-1: %s takes a body of known fields only',
    (_name, route) => {
      expect(['POST', 'PUT']).toContain(route.method);
      for (const one of kindsOf(route.body as z.ZodMiniType)) {
        const { issues } = z.safeParse(one, { notAField: 1 }).error ?? { issues: [] };
        expect(issues.some((issue) => issue.code === 'unrecognized_keys')).toBe(true);
      }
    },
  );

  it.each(declared.filter(([, route]) => route.method === 'GET'))(
    'MAINT-6: %s, which reads, is never refused as a write',
    (_name, route) => {
      expect(['open', 'read']).toContain(whileClosed(route));
    },
  );

  it('MAINT-3: shows every page while closed, since the pages tell of it themselves', () => {
    const pages = declared.filter(([, route]) => isPage(route));
    expect(pages.length).toBeGreaterThan(3);
    for (const [name, route] of pages) expect([name, whileClosed(route)]).toEqual([name, 'open']);
  });

  it('MAINT-6: lets through while closed exactly what maintenance must not stop', () => {
    const open = declared
      .filter(([, route]) => whileClosed(route) === 'open' && !isPage(route))
      .map(([name]) => name);
    expect(open.toSorted()).toEqual(
      [
        // health, and the description of everything
        'healthz',
        'readyz',
        'openapi',
        // sign-in, token and sign-out, set-up and invitations among them; cookie set and removed
        'login',
        'callback',
        'backChannelLogout',
        'beginSetUp',
        'forgotPassword',
        'renewToken',
        'signOut',
        'jwks',
        'submitSignIn',
        'claimSetUp',
        'readInvitation',
        'acceptInvitation',
        'changePassword',
        'setMapCookie',
        'removeMapCookie',
        // own rights and profile
        'getPermissions',
        'getProfile',
        // maintenance itself
        'getMaintenanceStatus',
        'getMaintenance',
        'setMaintenance',
        // flags
        'readFeatures',
        'evaluateFeatures',
        'subscribeFeatures',
      ].toSorted(),
    );
  });
});

describe('what a route does while closed', () => {
  it('MAINT-6: is reading for GET and writing for all else, where the route says nothing', () => {
    const plain = { path: '/', summary: '', access: 'public', answer: 'nothing' } as const;
    expect(whileClosed({ ...plain, method: 'GET' })).toBe('read');
    for (const method of ['POST', 'PUT', 'DELETE'] as const)
      expect(whileClosed({ ...plain, method })).toBe('write');
    expect(whileClosed({ ...plain, method: 'PUT', closed: 'open' })).toBe('open');
  });
});

import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { right } from '#features/permissions/contract/permissions.ts';
import { whileClosed, type Route } from '#contract/route.ts';
import { contractRoutes } from './testing/contract-routes.ts';

const declared = await contractRoutes();

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

/** Paths that match one with a parameter, where that one has a method that the path does not have. */
function collisionsOf(routes: readonly Pick<Route, 'method' | 'path'>[]): string[] {
  const methodsOf = (path: string) =>
    routes.filter((route) => route.path === path).map(({ method }) => method);
  const paths = [...new Set(routes.map(({ path }) => path))].filter((path) => !path.includes('*'));
  return paths.flatMap((path) =>
    paths
      .filter((other) => other !== path && new RegExp(`^${other.replaceAll(/:\w+/g, '[^/]+')}$`).test(path))
      .filter((other) => methodsOf(other).some((method) => !methodsOf(path).includes(method)))
      .map((other) => `${path} is also ${other}, which has other methods: choose another address`),
  );
}

const parametersOf = ({ path }: Route) => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

describe('what the contract declares', () => {
  it('API-1: has no two routes of the same method and path', () => {
    const places = declared.map(([, route]) => `${route.method} ${route.path.replaceAll(/:\w+/g, ':')}`);
    expect(places.length).toBeGreaterThan(20);
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
  });

  it('API-1: has no path that another one takes for its parameter, with methods that the other has alone', () => {
    expect(collisionsOf(declared.map(([, route]) => route))).toEqual([]);
  });

  it('API-1: may have a path next to one with a parameter whose methods it has too, and no other', () => {
    const all = { method: 'GET', path: '/v1/links/all' } as const;
    const one = { method: 'GET', path: '/v1/links/:linkId' } as const;
    expect(collisionsOf([all, one])).toEqual([]);
    expect(collisionsOf([all, one, { ...one, method: 'DELETE' }])).toEqual([
      '/v1/links/all is also /v1/links/:linkId, which has other methods: choose another address',
    ]);
  });

  it.each(declared)('API-1: %s has a path whose parameters its schema checks', (_name, route) => {
    // Sentry's wire alone has addresses that end with a slash.
    expect(route.path).toMatch(route.access === 'project-key' ? /^\/[^?#\s]+$/ : /^\/($|[^?#\s]*[^/]$)/);
    expect(fieldsOf(route.params).toSorted()).toEqual(parametersOf(route).toSorted());
    expect(route.summary).toMatch(/^\S.{3,}[^.\s]$/);
  });

  it.each(declared)('RIGHT-8: %s declares who may call it', (_name, route) => {
    const { access } = route;
    const words = typeof access === 'string' ? [access] : [];
    const known = ['public', 'signed-in', 'signed-in-or-allowed', 'session', 'one-time-link'];
    expect([...known, 'client-key', 'project-key']).toEqual(expect.arrayContaining(words));
    const rights = typeof access === 'string' ? [] : ['right' in access ? access.right : access.orRight];
    expect(right.options).toEqual(expect.arrayContaining(rights));
    const self = typeof access === 'object' && 'self' in access ? [access.self] : [];
    expect(parametersOf(route)).toEqual(expect.arrayContaining(self));
    // GrowthBook's tracking names its key in the query.
    const named = [...parametersOf(route), ...(route.path === '/track' ? ['clientKey'] : [])];
    expect(named).toEqual(
      expect.arrayContaining(access === 'client-key' && route.failure === undefined ? ['clientKey'] : []),
    );
  });

  // What `portico.js` calls, and the rights that it shows.
  it('GATE-6: is for the pages of an application at a host of its own where a route declares it', () => {
    const names = declared.filter(([, { hosts }]) => hosts).map(([name]) => name);
    expect(names.toSorted()).toEqual(
      'getEmbed getPermissions getReportForm openEvents publishPresence renewToken saveFeedback signOut'.split(
        ' ',
      ),
    );
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

  it('MAINT-3: shows every page while closed, since the pages show it themselves', () => {
    const pages = declared.filter(([, route]) => isPage(route));
    expect(pages.length).toBeGreaterThan(3);
    for (const [name, route] of pages) expect([name, whileClosed(route)]).toEqual([name, 'open']);
  });

  // Those that change something: `maintenance-gate.test.ts`.
  it('MAINT-6: lets reading through while closed only where a route declares it', () => {
    const open = declared
      .filter(([, route]) => route.method === 'GET' && whileClosed(route) === 'open' && !isPage(route))
      .map(([name]) => name);
    const allowed = [
      'getOwnFactors healthz readyz readMetrics openapi securityTxt login beginProof callback handOver arrive jwks retainedDraftsKey getPermissions getProfile getBranding getMark getAppPicture',
      'getMaintenanceStatus getMaintenance getWindow listWindows listMaintenanceHistory getPresence getOverview openEvents',
      'authCheck getEmbed showReportDialog readFeatures subscribeFeatures getReportForm listApiTokens listSessions listWebhooks listDeliveries previewWebhook getBackups getLog',
    ].flatMap((names) => names.split(' '));
    expect(open.toSorted()).toEqual(allowed.toSorted());
  });
});

describe('what a route does while closed', () => {
  it('MAINT-6: is reading for GET and writing for all else, where the route declares nothing', () => {
    const plain = { path: '/', summary: '', access: 'public', answer: 'nothing' } as const;
    expect(whileClosed({ ...plain, method: 'GET' })).toBe('read');
    for (const method of ['POST', 'PUT', 'DELETE'] as const)
      expect(whileClosed({ ...plain, method })).toBe('write');
    expect(whileClosed({ ...plain, method: 'PUT', closed: 'open' })).toBe('open');
  });
});

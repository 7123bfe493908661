import { describe, expect, it } from 'vitest';
import { openapi } from '#features/health/contract/health.ts';
import { whileClosed } from '#contract/route.ts';
import { startApp } from '../../testing/app.ts';

type Operation = {
  summary: string;
  description: string;
  security: Record<string, unknown>[];
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content?: Record<string, { schema?: object }> }>;
};
type Document = {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
};

async function served() {
  const app = await startApp({ engine: 'sqlite' });
  const answer = await app.call(openapi, {});
  return { app, headers: answer.headers, document: JSON.parse(answer.text) as Document };
}

/** Every `$ref` anywhere in the document. */
function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(refsIn)];
}

describe('/openapi.json', () => {
  it('API-1: describes every declared route, and nothing else', async () => {
    const { app, document } = await served();
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const declared = app.declared.map(
      (route) => `${route.method} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`,
    );
    expect(described.toSorted()).toEqual(declared.toSorted());
    expect(declared.length).toBeGreaterThan(20);
  });

  it('API-1: names of each route what it takes, who may call it and what it does while closed', async () => {
    const { app, document } = await served();
    for (const route of app.declared) {
      const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
      const operation = document.paths[path]?.[route.method.toLowerCase()] as Operation;
      expect(operation.summary).toBe(route.summary);
      expect(operation.description).toContain(`During full maintenance: ${whileClosed(route)}.`);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(operation.parameters.filter((each) => each.in === 'path').map((each) => each.name)).toEqual(
        inPath,
      );
      expect(operation.parameters.every((each) => each.in !== 'path' || each.required)).toBe(true);
      const creates = operation.parameters.some(({ name }) => name === 'Idempotency-Key');
      expect(creates).toBe(route.creates === true);
      const takesBody = [route.body, route.form, route.bytes].some((each) => each !== undefined);
      expect(operation.requestBody !== undefined).toBe(takesBody);
      const open = ['public', 'client-key', 'project-key', 'one-time-link'];
      const protectedRoute = !open.some((each) => each === route.access);
      expect(operation.security.length > 0).toBe(protectedRoute);
      for (const requirement of operation.security) {
        expect(Object.keys(document.components.securitySchemes)).toEqual(
          expect.arrayContaining(Object.keys(requirement)),
        );
      }
      expect(Object.keys(operation.responses)).toEqual([
        expect.stringMatching(/^(20[0124]|303)$/),
        'default',
      ]);
    }
  });

  it('API-1: is OpenAPI 3.1 whose references lead somewhere', async () => {
    const { document, headers } = await served();
    expect(headers.get('content-type')).toContain('application/json');
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.title).toBe('Portico');
    const refs = new Set(refsIn(document));
    expect(refs).toContain('#/components/schemas/Problem');
    for (const ref of refs) {
      const target = ref
        .slice(2)
        .split('/')
        .reduce<unknown>((here, part) => (here as Record<string, unknown> | undefined)?.[part], document);
      expect([ref, typeof target]).toEqual([ref, 'object']);
    }
  });

  it('API-1: has the schemas of bodies and answers as JSON Schema', async () => {
    const { document } = await served();
    expect(
      document.paths['/v1/people']?.['post']?.requestBody?.content['application/json']?.schema,
    ).toMatchObject({
      type: 'object',
      required: ['email', 'firstName', 'lastName', 'roles'],
      additionalProperties: false,
      properties: { email: { type: 'string' }, roles: { type: 'array', maxItems: 50 } },
    });
    expect(
      document.paths['/v1/people']?.['post']?.responses['201']?.content?.['application/json']?.schema,
    ).toMatchObject({
      type: 'object',
      properties: { person: { type: 'object' } },
    });
    expect(document.paths['/auth/login']?.['get']?.responses).toHaveProperty('303');
    expect(document.paths['/v1/people']?.['get']?.parameters).toContainEqual(
      expect.objectContaining({ name: 'limit', in: 'query', required: false }),
    );
  });
});

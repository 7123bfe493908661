import * as z from 'zod/mini';
import { problem } from '#contract/problem.ts';
import { type Access, type Route, type Schema, idempotencyKey, whileClosed } from '#contract/route.ts';

/** OpenAPI 3.1 of the declared routes (API-1). Made once, at the first request. */
export function openapiDocument({
  declared,
  version,
  publicUrl,
}: {
  declared: readonly Route[];
  version: string;
  /** The address before every path. */
  publicUrl: string;
}): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of declared) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Portico', version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: { Problem: jsonSchema(problem) },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token of POST /auth/token, or an API token',
        },
        session: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Portico',
          description: 'The session cookie, with X-Portico: 1',
        },
      },
    },
  };
}

function operation(route: Route): object {
  const otherwise = route.answer === 'nothing' ? 204 : isRedirect(route) ? 303 : 200;
  return {
    summary: route.summary,
    description: `${accessInWords(route.access)} During full maintenance: ${whileClosed(route)}.`,
    security: security(route.access),
    parameters: [
      ...parameters(route.params, 'path'),
      ...parameters(route.query, 'query'),
      ...(route.creates === true ? [creationHeader] : []),
    ],
    ...(route.form === undefined ? {} : { requestBody: formBody(route.form) }),
    ...(route.bytes === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/octet-stream': {} } } }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchema(route.body) } },
          },
        }),
    responses: {
      [route.status ?? otherwise]: { description: 'Done', ...answerContent(route) },
      default: {
        description: 'A problem (RFC 9457)',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

const creationHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A random id of the client: a repeated call with it creates nothing and has the first answer',
  schema: { type: 'string', pattern: idempotencyKey.source },
};

function formBody({ field }: NonNullable<Route['form']>): object {
  const files = { type: 'array', items: { type: 'string', contentMediaType: 'application/octet-stream' } };
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: { type: 'object', properties: { [field]: files }, required: [field] },
      },
    },
  };
}

function isRedirect({ answer }: Route): boolean {
  return typeof answer === 'object' && 'raw' in answer && answer.raw === 'redirect';
}

function answerContent(route: Route): object {
  if (route.answer === 'nothing') return {};
  if ('raw' in route.answer)
    return route.answer.raw === 'redirect' ? {} : { content: { [route.answer.raw]: {} } };
  return { content: { 'application/json': { schema: jsonSchema(route.answer, 'output') } } };
}

function parameters(schema: Schema | undefined, place: 'path' | 'query'): object[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(schema) as {
    properties?: Record<string, object>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: each,
  }));
}

function jsonSchema(schema: Schema, io: 'input' | 'output' = 'input'): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<
    string,
    unknown
  >;
  return rest;
}

function security(access: Access): object[] {
  if (access === 'session') return [{ session: [] }];
  if (access === 'signed-in' || access === 'signed-in-or-allowed' || typeof access === 'object')
    return [{ bearer: [] }];
  return [];
}

function accessInWords(access: Access): string {
  if (access === 'public') return 'Anyone may call this.';
  if (access === 'signed-in') return 'Needs a sign-in.';
  if (access === 'signed-in-or-allowed')
    return "Needs a sign-in, unless the installation's settings say otherwise.";
  if (access === 'session') return 'Needs the session cookie and the header X-Portico.';
  if (access === 'client-key') return 'Needs a client key, in the path or a header.';
  if (access === 'project-key') return 'Needs the key of a project in the query, a header or the envelope.';
  if (access === 'one-time-link') return 'Needs a single-use token in the body.';
  if ('right' in access) return `Needs the right ${access.right}.`;
  return `For oneself; for others the right ${access.orRight} is needed.`;
}

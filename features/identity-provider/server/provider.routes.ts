import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import type { FrontedRequest } from '#server/platform/http/paths.ts';
import type { RateLimit } from '#server/platform/http/rate-limit.ts';
import { providerPaths, providerPolicy, storageFailureOf } from './provider.ts';

const { mount, authorization, token, jwks, endSession } = providerPaths;

/** The provider's endpoints, which OpenID Connect defines and the contract does not hold. */
const endpoints = [
  { method: 'GET', path: '/.well-known/openid-configuration' },
  { method: 'GET', path: jwks },
  { method: 'GET', path: authorization },
  { method: 'GET', path: `${authorization}/:uid` },
  { method: 'POST', path: token },
  { method: 'GET', path: endSession },
  { method: 'POST', path: `${endSession}/confirm` },
] as const;

/** The endpoints that no browser goes to. */
const programs: ReadonlySet<string> = new Set(['/.well-known/openid-configuration', jwks, token]);

/**
 * Puts the provider's endpoints under `/idp`. Each is a route of its own, so that nothing else passes through
 * the provider and no other call pays for it.
 */
export function providerRoutes(
  fastify: FastifyInstance,
  options: {
    provider(): Promise<Provider>;
    publicUrl: string;
    basePath: string;
    limit: RateLimit;
    watchBody(request: IncomingMessage, address: string): void;
    beginning: { address: RateLimit; all: RateLimit };
  },
): void {
  const { host, protocol } = new URL(options.publicUrl);

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    options.watchBody(request.raw, request.ip);
    const provider = await options.provider();
    const { raw: response } = reply;
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) response.setHeader(name, value);
    response.setHeader('content-security-policy', providerPolicy());
    const raw: FrontedRequest = request.raw;
    // Every address that the provider makes is one of PUBLIC_URL, whatever the request or a proxy calls the
    // host (SES-3).
    raw.headers.host = host;
    raw.headers['x-forwarded-host'] = host;
    raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    const { url = mount, originalUrl = url } = raw;
    raw.originalUrl = `${options.basePath}${url}`;
    raw.url = url.slice(mount.length);
    await provider.callback()(raw, response);
    raw.url = url;
    raw.originalUrl = originalUrl;
    const failure = storageFailureOf(raw);
    if (failure === undefined) {
      reply.hijack();
      return;
    }
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    throw failure;
  }

  /** Limits how many sign-ins may begin, because each one stores a row for an hour. */
  function countBeginning({ ip }: FastifyRequest, _reply: FastifyReply, next: () => void): void {
    options.beginning.address.take(ip);
    options.beginning.all.take('all');
    next();
  }

  void fastify.register((scope, _options, done) => {
    // The provider reads bodies itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
    scope.addHook('onRequest', (request, _reply, next) => {
      options.limit.take(request.ip);
      next();
    });
    for (const { method, path } of endpoints) {
      scope.route({
        method,
        url: `${mount}${path}`,
        exposeHeadRoute: false,
        config: { access: 'public', page: !programs.has(path), oauth: true },
        ...(path === authorization ? { preHandler: countBeginning } : {}),
        handler: answer,
      });
    }
    done();
  });
}

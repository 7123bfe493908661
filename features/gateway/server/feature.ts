import { authCheck, listApplications } from '#features/gateway/contract/gateway.ts';
import { unknownRights } from '#features/permissions/server/rules.store.ts';
import type { Core } from '#server/core.ts';
import { feature } from '#server/feature.ts';
import type { Ground } from '#server/ground.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { Refusal } from './admission.ts';
import { isForm, refusalHeaders, signInPath } from './answers.ts';
import { identityHeaders } from './auth-check.ts';
import { rightsOfRules } from './gateway.ts';

export const gatewayFeature = feature({
  create: (core, ground) => ({
    routes(serve) {
      gatewayRoutes(serve, core, ground);
      authCheckRoutes(serve, core, ground);
    },
    endStreams: ground.gateway.endStreams,
    close: ground.gateway.close,
  }),
});

/** What operators see of the gateway; it is changed in its file alone. */
function gatewayRoutes(serve: Serve, { config: { upstreams }, database }: Core, { gateway }: Ground): void {
  serve(listApplications, async () => {
    const unknown = await unknownRights(database.read, rightsOfRules(upstreams));
    return {
      applications: upstreams.map(({ url, timeoutMs, rules, ...rest }) => ({
        ...rest,
        url: url.origin,
        timeoutSeconds: timeoutMs / 1_000,
        rules: rules.map((rule) => ({
          ...rule,
          rightIsKnown: rule.right === null || !unknown.includes(rule.right),
        })),
      })),
      openStreams: gateway.openStreams(),
    };
  });
}

/**
 * Answers the checks that are not answered from the cache, and all refusals. Where the proxy passes the answer on,
 * a person gets the pages of the gateway.
 */
function authCheckRoutes(
  serve: Serve,
  { config, hosts }: Core,
  { gateway: { check, refuse, askToSignIn } }: Ground,
): void {
  serve(authCheck, async ({ query, request, reply }) => {
    const { asked, guard, admission, passedOn, upstream } = check(request.raw, query);
    const decided = await admission;
    reply.header('cache-control', 'no-store');
    const answered = {
      request: request.raw,
      response: reply.raw,
      kind: asked.kind,
      method: asked.method,
      guard,
    };
    if (decided.is === 'sign-in') {
      // For an application with a host of its own, the way to the sign-in and back begins at that host.
      const origin = hosts.originOf(hosts.otherOf(asked.host));
      const path = `${config.basePath}${signInPath(answered, asked, origin)}`;
      const location = `${origin}${path}`;
      // nginx passes on no redirect of a check, and reads the address from the header.
      if (!passedOn) throw new HttpProblem('UNAUTHENTICATED', { headers: { location } });
      if (isForm(answered)) {
        reply.hijack();
        askToSignIn(answered, path);
      } else void reply.redirect(location, 303);
    } else if (decided.is === 'refused') {
      if (!passedOn || asked.kind !== 'navigation') {
        reply.headers(refusalHeaders(decided.code, answered));
        throw refusalOf(decided);
      }
      reply.hijack();
      refuse(answered, decided);
    } else if (query.refused === undefined)
      void reply
        .code(204)
        .headers(Object.fromEntries(identityHeaders(decided.headers, upstream)))
        .send();
    else
      throw new HttpProblem('UNAVAILABLE', {
        detail: 'This was refused a moment ago, and would pass now. Send it again.',
        retryAfter: 1,
      });
  });
}

function refusalOf({ code, right, retryAfter }: Refusal): HttpProblem {
  return new HttpProblem(code, {
    ...(right === undefined ? {} : { detail: `The right ${right} is needed.` }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

import { listApplications } from '#features/gateway/contract/gateway.ts';
import type { Upstream } from '#server/config-upstreams.ts';
import type { Reader } from '#server/platform/database/database.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { unknownRights } from '#features/permissions/server/rules.store.ts';

/** What operators see of the gateway; it is changed in its file alone. */
export function gatewayRoutes(
  serve: Serve,
  options: { read: Reader; upstreams: readonly Upstream[]; openStreams(): number },
): void {
  serve(listApplications, async () => {
    const unknown = await unknownRights(options.read, rightsOfRules(options.upstreams));
    return {
      applications: options.upstreams.map(({ url, timeoutMs, rules, ...rest }) => ({
        ...rest,
        url: url.origin,
        timeoutSeconds: timeoutMs / 1_000,
        rules: rules.map((rule) => ({
          ...rule,
          rightIsKnown: rule.right === null || !unknown.includes(rule.right),
        })),
      })),
      openStreams: options.openStreams(),
    };
  });
}

/** Every right that a rule takes, once. */
export function rightsOfRules(upstreams: readonly Upstream[]): string[] {
  const rights = upstreams.flatMap(({ rules }) => rules.map(({ right }) => right));
  return [...new Set(rights.filter((right) => right !== null))];
}

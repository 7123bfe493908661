import type { Core } from '#server/core.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { unknownRights } from '#features/permissions/server/rules.store.ts';
import { createAdmission, type AdmissionParts } from './admission.ts';
import { createAnswers, type GatewayPages } from './answers.ts';
import { authCheckRoutes } from './auth-check.routes.ts';
import { createAuthCheck } from './auth-check.ts';
import { createForwarding } from './forwarding.ts';
import { gatewayRoutes, rightsOfRules } from './gateway.routes.ts';
import { createOpenStreams } from './open-streams.ts';
import { registerApplications } from './register-application.ts';
import { describeRight } from './right-words.ts';

export type GatewayParts = AdmissionParts & {
  maintenance: {
    gate(): { mode: 'off' | 'read-only' | 'full' };
    onChange(listener: () => void): void;
  };
  webPages: GatewayPages;
  identityProvider: { setUp: { isOpen(): Promise<boolean> } };
};

/** The applications behind Portico (GATE-1): what they register, the way to them, and what operators see of it. */
export async function createGateway(core: Core, parts: GatewayParts) {
  const { config, database, feed, logger, clock } = core;
  const { maintenance } = parts;
  const { upstreams } = config;
  const isClosed = (): boolean => maintenance.gate().mode === 'full';
  await registerApplications(database, logger, config.registered);
  const unknown = await unknownRights(database.read, rightsOfRules(upstreams));
  if (unknown.length > 0)
    logger.warn({ rights: unknown }, 'rules of applications take rights that are in no catalogue');

  const streams = createOpenStreams(feed, logger);
  const admission = createAdmission(core, parts);
  const authCheck = createAuthCheck(core, admission.admit);
  const answers = createAnswers({
    pages: parts.webPages,
    securityHeaders: core.securityHeaders,
    isClosed,
    describeRight: (right) => describeRight(database.read, right, clock.now()),
  });
  const forwarding = createForwarding({
    config,
    logger,
    streams,
    watchBody: core.watchBody,
    admission,
    answers,
    setUpIsOpen: async () => config.oidc === null && parts.identityProvider.setUp.isOpen(),
  });
  maintenance.onChange(() => {
    if (isClosed()) streams.closeForMaintenance();
  });
  return {
    handle: forwarding.handle,
    upgrade: forwarding.upgrade,
    refuse: answers.refuse,
    redirect: answers.redirect,
    askToSignIn: answers.askToSignIn,
    /** The answer to a check of a proxy that passes from memory, or null: the route answers it. */
    checkAnswer: authCheck.find,
    routes(serve: Serve) {
      gatewayRoutes(serve, { read: database.read, upstreams, openStreams: () => streams.size });
      authCheckRoutes(serve, core, authCheck, answers);
    },
    endStreams: streams.close,
    close: forwarding.close,
  };
}

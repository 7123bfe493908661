import type { Core } from '#server/core.ts';
import type { FastifyRequest } from 'fastify';
import {
  createPages,
  languageOf,
  type PageRendering,
  type RenderedPage,
} from '#server/platform/http/page.ts';
import type { AccessControl } from '#server/platform/http/access-check.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { safeReturnTo } from '#features/session/server/return-to.ts';
import { createBoot, type BootParts } from './boot.ts';
import { closedRendering, createStoragePage, webPagesRoutes } from './web-pages.routes.ts';

/** The HTML pages, with what their scripts begin with. */
export function createWebPages(
  core: Core,
  parts: {
    /** Folder of the built web. */
    webDir: string;
    session: Pick<AccessControl, 'identifySession'>;
    maintenance: { now: BootParts['maintenance']; gate: AccessControl['closed'] };
    branding: Pick<BootParts, 'look'>;
    flags: Pick<BootParts, 'personalKey'>;
    diagnostics: { ownKey: BootParts['ownFaultKey'] };
    identityProvider: {
      sendsMail: boolean;
      registers(): boolean;
      offersPasskeys: boolean;
      setUp: { isOpen(): Promise<boolean> };
    };
  },
) {
  const { config, clock, feed, hosts } = core;
  const { webDir, session, maintenance, branding, flags, diagnostics, identityProvider } = parts;
  const outsideProvider =
    config.oidc === null ? null : (config.oidc.label ?? new URL(config.oidc.issuer).host);
  const faultsOrigin = typeof config.faults === 'string' ? null : new URL(config.faults.dsn).origin;
  const pages = createPages({
    webDir,
    basePath: config.basePath,
    connectTo: [config.flagsHost?.host, config.geoserverDevelopUrl, faultsOrigin].filter(
      (host) => host != null,
    ),
    reload: !config.production,
    look: branding.look,
  });
  const boot = createBoot({
    config,
    personalKey: flags.personalKey,
    ownFaultKey: diagnostics.ownKey,
    maintenance: maintenance.now,
    look: branding.look,
    passwordMail: identityProvider.sendsMail,
    registration: identityProvider.registers,
    passkeys: outsideProvider === null && identityProvider.offersPasskeys,
    outsideProvider,
    now: clock.now,
    eventId: () => String(feed.publishedAt()),
    release: core.version,
  });
  return {
    storagePage: createStoragePage({ pages, boot, basePath: config.basePath }),
    /** A page in the language of a request, for what is answered without the framework. */
    page(name: string, request: Pick<FastifyRequest, 'headers'>, rendering?: PageRendering): RenderedPage {
      const language = languageOf(request);
      return pages.render(`${name}.${language}`, boot(language), rendering);
    },
    /** The maintenance page at an address that is closed. */
    closedPage(request: Pick<FastifyRequest, 'headers'>): RenderedPage {
      const language = languageOf(request);
      const state = boot(language);
      const { retryAfter } = maintenance.gate();
      return pages.render(`maintenance.${language}`, state, closedRendering(state, retryAfter));
    },
    routes: (serve: Serve) =>
      webPagesRoutes(serve, {
        pages,
        boot,
        localFlags: config.localFlags,
        basePath: config.basePath,
        publicUrl: config.publicUrl,
        hosts,
        storageAnswers: core.storageAnswers,
        retryAfter: () => maintenance.gate().retryAfter,
        identifySession: session.identifySession,
        setUpIsOpen: identityProvider.setUp.isOpen,
        outsideProvider,
        safeReturnTo: (wanted) => safeReturnTo(wanted, { ...config, most: Number.POSITIVE_INFINITY }),
      }),
  };
}

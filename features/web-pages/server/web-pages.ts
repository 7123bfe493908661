import type { Boot } from '#contract/boot.ts';
import { textFor } from '#features/maintenance/contract/maintenance.ts';
import type { Core } from '#server/core.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  createPages,
  type Language,
  languageOf,
  type PageLook,
  type PageRendering,
  type RenderedPage,
} from '#server/platform/http/page.ts';
import type { AccessControl } from '#server/platform/http/access-check.ts';
import type { Config } from '#server/config.ts';
import { ownProject } from '#features/diagnostics/contract/projects.ts';

/** The HTML pages, with the data that their scripts start with. */
export function createWebPages(
  core: Core,
  parts: {
    /** Folder of the built web. */
    webDir: string;
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
  const { config, clock, feed } = core;
  const { webDir, maintenance, branding, flags, diagnostics, identityProvider } = parts;
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
    /** The page for browsers while the storage does not work; it is rendered from memory alone. */
    storagePage(request: FastifyRequest, reply: FastifyReply, retryAfter: number): FastifyReply {
      const language = languageOf(request);
      const again = againSeconds.least + Math.floor(Math.random() * againSeconds.spread);
      return pages.send(reply, `unavailable.${language}`, boot(language), {
        status: 503,
        headers: { 'retry-after': String(retryAfter) },
        slots: {
          // Loading a form's address again would not send the form again, so the link leads to the start page.
          again: request.method === 'GET' || request.method === 'HEAD' ? '' : `${config.basePath}/`,
          refresh: request.method === 'GET' ? String(again) : null,
          reference: request.id,
        },
      });
    },
    /** A page in the language of a request, for answers that are sent without the framework. */
    page(name: string, request: Pick<FastifyRequest, 'headers'>, rendering?: PageRendering): RenderedPage {
      const language = languageOf(request);
      return pages.render(`${name}.${language}`, boot(language), rendering);
    },
    /** The maintenance page at an address that is closed for maintenance. */
    closedPage(request: Pick<FastifyRequest, 'headers'>): RenderedPage {
      const language = languageOf(request);
      const state = boot(language);
      const { retryAfter } = maintenance.gate();
      return pages.render(`maintenance.${language}`, state, closedRendering(state, retryAfter));
    },
    pages,
    boot,
    outsideProvider,
  };
}

/** The maintenance page as a 503 answer at the requested address: crawlers and caches must not store it. */
export function closedRendering(
  { maintenance, serverTime, language }: Boot,
  retryAfter: number,
): PageRendering {
  const { expectedEnd } = maintenance;
  const text = textFor(maintenance, language);
  return {
    status: 503,
    headers: { 'retry-after': String(retryAfter) },
    slots: {
      notice: text === '' ? null : text,
      // An expected end that has passed is shown as unknown.
      'expected-end': expectedEnd === null || expectedEnd <= serverTime ? null : inUtc(expectedEnd, language),
    },
  };
}

/** Seconds after which a browser without scripts reloads, spread so that not all browsers reload at once. */
const againSeconds = { least: 20, spread: 40 };

function inUtc(at: number, language: Language): string {
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(at);
}

type BootSource = (language: Language) => Boot;

type BootParts = {
  config: Pick<
    Config,
    'production' | 'basePath' | 'publicUrl' | 'geoserverDevelopUrl' | 'flagsHost' | 'faults'
  >;
  /** The key of the personal payload, which Portico's own web reads (FLAG-1). */
  personalKey: () => string;
  /** The key of Portico's own project of diagnostics; null: the project has no valid key. */
  ownFaultKey: () => string | null;
  maintenance: () => Boot['maintenance'];
  /** How pages look now. */
  look: () => PageLook;
  passwordMail: boolean;
  registration: () => boolean;
  passkeys: boolean;
  /** The name of the provider that people sign in at; null: the embedded provider. */
  outsideProvider: string | null;
  now: () => number;
  /** The id of the last live event: everything that is read from now on is at least as new. */
  eventId: () => string;
  release: string;
};

/** The data that every page gets before its first script runs; everything in it is public. */
function createBoot(parts: BootParts): BootSource {
  const { config } = parts;
  return (language) => {
    const { mode, text, texts, severity, expectedEnd, since, upcoming, returnWithin, changedAt } =
      parts.maintenance();
    const { product, mark, panel, contact, statusUrl } = parts.look();
    return {
      branding: { product, mark: mark?.url ?? null, panel, contact, statusUrl },
      production: config.production,
      passwordMail: parts.passwordMail,
      registration: parts.registration(),
      passkeys: parts.passkeys,
      outsideProvider: parts.outsideProvider,
      geoserverBase: config.basePath,
      geoserverDevelopUrl: config.production ? null : config.geoserverDevelopUrl,
      // Names of local flags are for people who are signed in.
      localFlags: [],
      flags:
        config.flagsHost === null
          ? { host: '', clientKey: parts.personalKey(), kind: 'personal' }
          : {
              host: config.flagsHost.host,
              clientKey: config.flagsHost.clientKey,
              kind: config.flagsHost.remoteEval ? 'remote-eval' : 'plain',
            },
      maintenance: { mode, text, texts, severity, expectedEnd, since, upcoming, returnWithin, changedAt },
      serverTime: parts.now(),
      eventId: parts.eventId(),
      language,
      release: parts.release,
      faults: faultsOf(config, parts.ownFaultKey()),
    };
  };
}

/** Where the web sends errors: to this server, it sends them by a path that is on no blocklist. */
function faultsOf(
  { faults, publicUrl, basePath }: BootParts['config'],
  ownKey: string | null,
): Boot['faults'] {
  if (faults === 'off') return null;
  if (faults !== 'own') return { dsn: faults.dsn, tunnel: null };
  const dsn = new URL(publicUrl);
  dsn.username = ownKey ?? '';
  dsn.pathname = `${basePath}/${ownProject}`;
  return ownKey === null ? null : { dsn: dsn.href, tunnel: `${basePath}/v1/faults` };
}

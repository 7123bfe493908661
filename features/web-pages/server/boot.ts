import type { Boot } from '#contract/boot.ts';
import type { Config } from '#server/config.ts';
import type { Language, PageLook } from '#server/platform/http/page.ts';
import { ownProject } from '#features/diagnostics/contract/projects.ts';

export type BootSource = (language: Language) => Boot;

export type BootParts = {
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
export function createBoot(parts: BootParts): BootSource {
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

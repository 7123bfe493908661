import type { Migration } from 'kysely/migration';
import type { Route } from '#contract/route.ts';
import type { Core } from './core.ts';
import { createApiTokens } from '#features/api-tokens/server/api-tokens.ts';
import type { PresentNames } from '#features/audit/server/current-names.ts';
import { createBranding } from '#features/branding/server/branding.ts';
import { createDiagnostics } from '#features/diagnostics/server/diagnostics.ts';
import { createDirectory } from '#features/directory/server/directory.ts';
import { createFeedback } from '#features/feedback/server/feedback.ts';
import { createFiles } from '#features/files/server/files.ts';
import { createFlags } from '#features/flags/server/flags.ts';
import { createGateway } from '#features/gateway/server/gateway.ts';
import { createAccountMails } from '#features/identity-provider/server/account-mails.ts';
import { createAccounts, embeddedIssuer } from '#features/identity-provider/server/accounts.ts';
import type { Inject } from '#features/identity-provider/server/embedded-provider.ts';
import { createIdentityProvider } from '#features/identity-provider/server/identity-provider.ts';
import type { HashParameters } from '#features/identity-provider/server/password-hash.ts';
import { createMail } from '#features/mail/server/mail.ts';
import { createMailTransport } from '#features/mail/server/transport.ts';
import { createMaintenance } from '#features/maintenance/server/maintenance.ts';
import { createMap } from '#features/map/server/map.ts';
import { awaitAt, createOutsideProvider } from '#features/outside-provider/server/outside-provider.ts';
import { createOverview } from '#features/overview/server/overview.ts';
import { createAdministration } from '#features/people/server/administration.ts';
import { createPermissions } from '#features/permissions/server/permissions.ts';
import { createPresence } from '#features/presence/server/presence.ts';
import { createSession } from '#features/session/server/session.ts';
import { createWebPages } from '#features/web-pages/server/web-pages.ts';
import type { Fates } from './platform/database/schema.ts';
import { rightsInPortico } from './platform/http/access-check.ts';

/** What the ground receives from the application. */
export type GroundParts = {
  /** Folder of the built web. */
  webDir: string;
  /** Certificates (PEM) of the authorities that may have issued the mail server's certificate. */
  mailCa?: string;
  /** The cost of hashing a password. */
  hashing?: HashParameters;
  /** Calls this application itself. */
  inject: Inject;
  /** What the audit shows as the present names of subjects. */
  names: PresentNames;
  /** The fate of every text column. */
  fates: Fates;
  /** All migrations of this program, in order. */
  migrations: Record<string, Migration>;
  /** Every route that is served; complete once all features have declared theirs. */
  declared: readonly Route[];
  /** True from the beginning of a stop. */
  stopping(): boolean;
};

/** What features need of each other, and what answers before the framework. */
export type Ground = Awaited<ReturnType<typeof createGround>>;

/** Creates each part after the parts that it needs. A manifest creates a feature that no other feature needs. */
export async function createGround(core: Core, parts: GroundParts) {
  const { config } = core;
  const { oidc, publicUrl } = config;
  const { webDir, mailCa, hashing, inject, names } = parts;

  const files = createFiles(core);
  const presence = await createPresence(core);
  const directory = createDirectory(core);
  const apiTokens = createApiTokens(core, directory);
  const branding = await createBranding(core);
  const productName = () => branding.look().product;
  const mail =
    config.mail === null
      ? null
      : createMail(core, {
          transport: createMailTransport(config.mail, { publicUrl, ca: mailCa }),
          productName,
        });
  const maintenance = await createMaintenance(core);
  const permissions = await createPermissions(core, apiTokens);
  const rightsOf = rightsInPortico(permissions.rightsOf);

  const accounts = createAccounts({ ...core, publicUrl, hashing });
  const accountMails = createAccountMails(core, {
    accounts,
    mail,
    accountState: directory.accountState,
    productName,
  });
  const administration = createAdministration({
    accounts: { ...accounts, issuer: embeddedIssuer },
    awaitPerson: oidc === null ? null : awaitAt(oidc),
    notifyPerson: accountMails.notifyPerson,
  });
  const identityProvider = await createIdentityProvider(core, {
    accounts,
    accountMails,
    administration,
    directory,
    branding,
    inject,
    mail,
  });
  const outside = oidc === null ? null : await createOutsideProvider(core, oidc, identityProvider.setUp);
  const session = await createSession(core, {
    directory,
    apiTokens,
    provider: (outside ?? identityProvider).inUse,
    rightsOf: permissions.rightsOf,
    signedOut: identityProvider.signedOut,
  });

  const flags = await createFlags(core, { maintenance, presence, session, rightsOf });
  // Flags and maintenance need each other: flags show maintenance, which counts the browsers that follow flags.
  maintenance.countsBrowsersBy(flags.connected);
  const overview = createOverview(core, { presence, flags, maintenance, rightsOf, names });
  const feedback = createFeedback(core, { files, mail, branding });
  const diagnostics = await createDiagnostics(core, { mail, productName, feedback });

  const webPages = createWebPages(core, {
    webDir,
    maintenance,
    branding,
    flags,
    diagnostics,
    identityProvider,
  });
  const gateway = await createGateway(core, {
    session,
    permissions,
    directory,
    maintenance,
    webPages,
    identityProvider,
  });
  const map = createMap(core, { session, permissions, directory, maintenance, gateway });

  return {
    ...parts,
    files,
    presence,
    directory,
    apiTokens,
    branding,
    mail,
    maintenance,
    permissions,
    /** The rights of a caller in Portico itself. */
    rightsOf,
    administration,
    identityProvider,
    /** Null where people sign in at the embedded provider. */
    outside,
    session,
    flags,
    overview,
    feedback,
    diagnostics,
    webPages,
    gateway,
    map,
  };
}

// npm run interop: Portico with programs of others; its usage is below. Services that their packages may start are not used.
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { chromium } from '@playwright/test';
import { loopbackCertificate } from '#server/testing/loopback-certificate.ts';
import { ensureBrowser, installFromDebian, mayInstall } from '../browser.ts';
import { readCommandLine } from '../command-line.ts';
import { buildServer, buildWeb, print } from '../prepare.mjs';
import { checkDeployment, whatDeploymentLacks } from './deploy-checks.ts';
import { checkGrowthbook } from './growthbook.ts';
import { checkLemonLdap } from './lemonldap-checks.ts';
import { whatLemonLdapLacks } from './lemonldap.ts';
import { checkObjectStorage } from './object-storage-checks.ts';
import { checkPgbouncer, whatPgbouncerLacks } from './pgbouncer-checks.ts';
import { checkPrometheus, whatPrometheusLacks } from './prometheus-checks.ts';
import { endOnSignal, stopPrograms } from './programs.ts';
import { nginxServers, startCaddy, startNginx, whatCaddyLacks, whatNginxLacks } from './proxies.ts';
import { checkProxy } from './proxy-checks.ts';
import { createTable } from './table.ts';

/** A file of each package that is needed, and the package. */
const needed = {
  '/usr/sbin/nginx': 'nginx',
  '/usr/bin/caddy': 'caddy',
  '/usr/sbin/pgbouncer': 'pgbouncer',
  '/usr/bin/prometheus': 'prometheus',
  '/usr/bin/prometheus-alertmanager': 'prometheus-alertmanager',
  '/usr/bin/swift-proxy-server': 'swift-proxy',
  '/usr/bin/swift-account-server': 'swift-account',
  '/usr/bin/swift-container-server': 'swift-container',
  '/usr/bin/swift-object-server': 'swift-object',
  '/usr/bin/mmdebstrap': 'mmdebstrap',
  '/usr/bin/buildah': 'buildah',
  '/usr/bin/systemd-nspawn': 'systemd-container',
  '/usr/sbin/llng-fastcgi-server': 'lemonldap-ng-fastcgi-server',
  '/usr/share/lemonldap-ng/portal/htdocs/index.psgi': 'liblemonldap-ng-portal-perl',
  // The portal loads these whatever is switched on, and its package only recommends or suggests them.
  '/usr/share/perl5/GD/SecurityImage.pm': 'libgd-securityimage-perl',
  '/usr/share/doc/libimage-magick-perl': 'libimage-magick-perl',
  '/usr/share/perl5/String/Random.pm': 'libstring-random-perl',
  '/usr/share/perl5/IO/String.pm': 'libio-string-perl',
};

const { positionals } = readCommandLine(
  { options: {}, allowPositionals: true },
  `Usage: npm run interop -- [AREA [CASES]]

Runs Portico at a real identity provider (LemonLDAP::NG), behind real proxies (nginx, Caddy), watched by a real Prometheus, behind a real PgBouncer, in a real browser, and its object storage at s3rver and OpenStack Swift, and as the unit and the image of deploy/, on loopback
ports and with configurations of its own. As root on Debian it installs with apt-get what is missing:
${Object.values(needed).join(', ')}.
Elsewhere what needs them is skipped, with the reason. Takes a few minutes; ends with 1 where something does not work.

  AREA   lemonldap, nginx, caddy, pgbouncer, prometheus, object-storage, deployment or growthbook; left out: all
  CASES  for growthbook: GrowthBook's cases.json (packages/sdk-js/test in its repository), of which every case
         goes through a running Portico; without it there is nothing to run`,
);
const [only = '', cases] = positionals;

if (!(await buildWeb()) || !(await buildServer())) process.exit(1);
const missing = (only === 'growthbook' ? [] : Object.entries(needed)).flatMap(([file, name]) =>
  existsSync(file) ? [] : [name],
);
if (missing.length > 0) {
  const what = missing.join(', ');
  if (mayInstall()) {
    print(`Installing from Debian: ${what} …`);
    await installFromDebian(...missing);
  } else {
    print(
      `Not installed here: ${what}. What needs it is skipped; as root on Debian it is installed by itself.`,
    );
  }
}

const folder = mkdtempSync(join(tmpdir(), 'portico-interop-'));
// Their own user has to pass through.
chmodSync(folder, 0o711);
const certificate = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
writeFileSync(certificate.cert, loopbackCertificate.cert);
writeFileSync(certificate.key, loopbackCertificate.key);
setDefaultCACertificates([...getCACertificates('default'), loopbackCertificate.cert]);

const browser = await chromium.launch({
  executablePath: await ensureBrowser(),
  chromiumSandbox: process.getuid?.() !== 0,
});
const table = createTable();
const areas: Record<string, { lacks: string | null; run: () => Promise<void> }> = {
  'LemonLDAP::NG': {
    lacks: whatLemonLdapLacks(),
    run: () => checkLemonLdap(table, browser, folder, certificate),
  },
  nginx: {
    lacks: whatNginxLacks(),
    run: () =>
      checkProxy(table, browser, folder, certificate, {
        area: 'nginx',
        start: (place) => startNginx(folder, [nginxServers(place, certificate)]),
        redirects: true,
      }),
  },
  Caddy: {
    lacks: whatCaddyLacks(),
    run: () =>
      checkProxy(table, browser, folder, certificate, {
        area: 'Caddy',
        start: (place) => startCaddy(folder, place, certificate),
        redirects: false,
      }),
  },
  GrowthBook: {
    lacks: cases === undefined ? 'no file of cases is named' : null,
    run: () => checkGrowthbook(table, join(folder, 'growthbook'), cases ?? ''),
  },
  PgBouncer: { lacks: whatPgbouncerLacks(), run: () => checkPgbouncer(table, folder) },
  Prometheus: { lacks: whatPrometheusLacks(), run: () => checkPrometheus(table, folder) },
  'Object-storage': { lacks: null, run: () => checkObjectStorage(table, folder) },
  Deployment: { lacks: whatDeploymentLacks(), run: () => checkDeployment(table, folder) },
};

async function end(): Promise<void> {
  await stopPrograms();
  await browser.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
endOnSignal(end);

try {
  for (const [area, { lacks, run }] of Object.entries(areas)) {
    const reason = area.toLowerCase().includes(only.toLowerCase()) ? lacks : 'not asked for';
    if (reason !== null) table.skip(area, 'all', reason);
    else await run().catch((error: unknown) => table.check(area, 'runs', () => Promise.reject(error)));
  }
} finally {
  await end();
}
table.print();
process.exitCode = table.failed() ? 1 : 0;

// npm run interop: Portico with programs of others; its usage is below. Services that packages start are not used.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { chromium } from '@playwright/test';
import { startObjectStore } from '#server/testing/object-store-server.ts';
import { loopbackCertificate } from '#server/testing/loopback-certificate.ts';
import { ensureBrowser, installFromDebian, mayInstall } from '../browser.ts';
import { readCommandLine } from '../command-line.ts';
import { buildServer, buildWeb, print } from '../prepare.mjs';
import { checkDeployment } from './deploy-checks.ts';
import { checkLemonLdap } from './lemonldap-checks.ts';
import { checkObjectStorage, startSwift } from './object-storage-checks.ts';
import { checkPgbouncer } from './pgbouncer-checks.ts';
import { checkPrometheus } from './prometheus-checks.ts';
import { afterwards, cleanUp, cleanUpOnSignal, temporaryFolder } from './programs.ts';
import { checkProxy } from './proxy-checks.ts';
import { checksOf, printTable, skip } from './table.ts';

/** What an area needs: for each package one of its files, and its name. */
const nginx = { '/usr/sbin/nginx': 'nginx' };
const swift: Record<string, string> = {};
for (const kind of ['proxy', 'account', 'container', 'object'])
  swift[`/usr/bin/swift-${kind}-server`] = `swift-${kind}`;
const areas: Record<string, { needs: Record<string, string>; run: (folder: string) => Promise<void> }> = {
  'LemonLDAP::NG': {
    needs: {
      ...nginx,
      '/usr/sbin/llng-fastcgi-server': 'lemonldap-ng-fastcgi-server',
      '/usr/share/lemonldap-ng/portal/htdocs/index.psgi': 'liblemonldap-ng-portal-perl',
      // The portal always loads these packages, and its own package only recommends or suggests them.
      '/usr/share/perl5/GD/SecurityImage.pm': 'libgd-securityimage-perl',
      '/usr/share/doc/libimage-magick-perl': 'libimage-magick-perl',
      '/usr/share/perl5/String/Random.pm': 'libstring-random-perl',
      '/usr/share/perl5/IO/String.pm': 'libio-string-perl',
    },
    run: (folder) => checkLemonLdap(folder, browser),
  },
  nginx: { needs: nginx, run: (folder) => checkProxy(folder, browser, 'nginx') },
  Caddy: { needs: { '/usr/bin/caddy': 'caddy' }, run: (folder) => checkProxy(folder, browser, 'Caddy') },
  PgBouncer: { needs: { '/usr/sbin/pgbouncer': 'pgbouncer' }, run: checkPgbouncer },
  Prometheus: {
    needs: {
      '/usr/bin/prometheus': 'prometheus',
      '/usr/bin/prometheus-alertmanager': 'prometheus-alertmanager',
    },
    run: checkPrometheus,
  },
  'Object-storage at s3rver': {
    needs: {},
    async run() {
      const { location, stop } = await startObjectStore();
      afterwards(stop);
      await checkObjectStorage('s3rver', location);
    },
  },
  'Object-storage at Swift': {
    needs: swift,
    run: async (folder) => checkObjectStorage('Swift', await startSwift(folder)),
  },
  Deployment: {
    needs: {
      '/usr/bin/mmdebstrap': 'mmdebstrap',
      '/usr/bin/buildah': 'buildah',
      '/usr/bin/systemd-nspawn': 'systemd-container',
    },
    run: checkDeployment,
  },
};

const { positionals } = readCommandLine(
  { options: {}, allowPositionals: true },
  `Usage: npm run interop -- [AREA]

Runs Portico with programs of others, on loopback ports and with configurations of its own. As root on Debian it installs
with apt-get what is missing; elsewhere what needs it is skipped, with the reason. Takes a few minutes; ends with 1 where
something does not work.

  AREA   a part of one of these; left out: all
         ${Object.keys(areas).join(', ')}`,
);
const [only = ''] = positionals;
const chosen = Object.entries(areas).filter(([area]) => area.toLowerCase().includes(only.toLowerCase()));
if (chosen.length === 0) {
  console.error(`No area is named ${only}; there are ${Object.keys(areas).join(', ')}.`);
  process.exit(2);
}

if (!(await buildWeb()) || !(await buildServer())) process.exit(1);
const packages = chosen.flatMap(([, { needs }]) => Object.entries(needs));
const missing = [...new Set(packages.flatMap(([file, name]) => (existsSync(file) ? [] : [name])))];
if (missing.length > 0 && mayInstall()) {
  print(`Installing from Debian: ${missing.join(', ')} …`);
  await installFromDebian(...missing);
}

setDefaultCACertificates([...getCACertificates('default'), loopbackCertificate.cert]);
const browser = await chromium.launch({
  executablePath: await ensureBrowser(),
  chromiumSandbox: process.getuid?.() !== 0,
});
cleanUpOnSignal();
for (const [area, { needs, run }] of chosen) {
  const check = checksOf(area);
  const folder = temporaryFolder();
  for (const part of ['cert', 'key'] as const)
    writeFileSync(join(folder, `${part}.pem`), loopbackCertificate[part]);
  const lacks = Object.keys(needs).filter((file) => !existsSync(file));
  if (lacks.length > 0) await check('all', () => skip(`not installed: ${lacks.join(', ')}`));
  else await run(folder).catch((error: unknown) => check('runs', () => Promise.reject(error)));
  await cleanUp().catch((error: unknown) => check('cleans up', () => Promise.reject(error)));
}
await browser.close();
process.exitCode = printTable();

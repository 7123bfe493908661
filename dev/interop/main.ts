import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { chromium } from '@playwright/test';
import { loopbackCertificate } from '#server/testing/loopback-certificate.ts';
import { checkDeployment, whatDeploymentLacks } from './deploy-checks.ts';
import { checkGrowthbook } from './growthbook.ts';
import { checkLemonLdap } from './lemonldap-checks.ts';
import { whatLemonLdapLacks } from './lemonldap.ts';
import { checkObjectStorage } from './object-storage-checks.ts';
import { checkPgbouncer, whatPgbouncerLacks } from './pgbouncer-checks.ts';
import { checkPrometheus, whatPrometheusLacks } from './prometheus-checks.ts';
import { stopPrograms } from './programs.ts';
import { nginxServers, startCaddy, startNginx, whatCaddyLacks, whatNginxLacks } from './proxies.ts';
import { checkProxy } from './proxy-checks.ts';
import { createTable } from './table.ts';

const folder = mkdtempSync(join(tmpdir(), 'portico-interop-'));
// Their own user has to pass through.
chmodSync(folder, 0o711);
const certificate = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
writeFileSync(certificate.cert, loopbackCertificate.cert);
writeFileSync(certificate.key, loopbackCertificate.key);
setDefaultCACertificates([...getCACertificates('default'), loopbackCertificate.cert]);

const executablePath = process.env['CHROMIUM'];
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  chromiumSandbox: process.getuid?.() !== 0,
});
const table = createTable();
const [only = '', cases] = process.argv.slice(2);
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
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().finally(() => process.exit(1)));

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

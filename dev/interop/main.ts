import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { chromium } from '@playwright/test';
import { loopbackCertificate } from '#server/testing/loopback-certificate.ts';
import { checkGrowthbook } from './growthbook.ts';
import { checkLemonLdap } from './lemonldap-checks.ts';
import { whatLemonLdapLacks } from './lemonldap.ts';
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
const wanted = (area: string): boolean => area.toLowerCase().includes(only.toLowerCase());

async function end(): Promise<void> {
  await stopPrograms();
  await browser.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().finally(() => process.exit(1)));

try {
  const noNginx = whatNginxLacks();
  const noPortal = noNginx ?? whatLemonLdapLacks();
  if (!wanted('LemonLDAP::NG')) table.skip('LemonLDAP::NG', 'all', 'not asked for');
  else if (noPortal === null) await checkLemonLdap(table, browser, folder, certificate);
  else table.skip('LemonLDAP::NG', 'all', noPortal);

  if (!wanted('nginx')) table.skip('nginx', 'all', 'not asked for');
  else if (noNginx === null)
    await checkProxy(table, browser, folder, certificate, {
      area: 'nginx',
      start: (place) => startNginx(folder, [nginxServers(place, certificate)]),
      redirects: true,
    });
  else table.skip('nginx', 'all', noNginx);

  const noCaddy = whatCaddyLacks();
  if (!wanted('Caddy')) table.skip('Caddy', 'all', 'not asked for');
  else if (noCaddy === null)
    await checkProxy(table, browser, folder, certificate, {
      area: 'Caddy',
      start: (place) => startCaddy(folder, place, certificate),
      redirects: false,
    });
  else table.skip('Caddy', 'all', noCaddy);

  if (!wanted('GrowthBook')) table.skip('GrowthBook', 'all', 'not asked for');
  else if (cases === undefined) table.skip('GrowthBook', 'all', 'no file of cases is named');
  else await checkGrowthbook(table, join(folder, 'growthbook'), cases);

  const noPrometheus = whatPrometheusLacks();
  if (!wanted('Prometheus')) table.skip('Prometheus', 'all', 'not asked for');
  else if (noPrometheus === null) await checkPrometheus(table, folder);
  else table.skip('Prometheus', 'all', noPrometheus);
} finally {
  await end();
}
table.print();
process.exitCode = table.failed() ? 1 : 0;

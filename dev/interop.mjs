// npm run interop: Portico with a real provider (LemonLDAP::NG), behind real proxies (nginx, Caddy), watched by a real
// Prometheus, on PostgreSQL behind a real PgBouncer, with its files at OpenStack Swift, and as the unit and the image of
// deploy/, all from Debian's packages, in a real browser; and with the cases that GrowthBook publishes. What is missing
// is installed as root on Debian; elsewhere what needs it is skipped, with a line that reports it. The programs are
// started here on loopback ports, with configurations of their own; services that their packages may start are not used.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureBrowser, installFromDebian, mayInstall } from './browser.mjs';
import { readCommandLine } from './command-line.mjs';
import { buildServer, buildWeb, install, node, requireNode, root, run, print } from './prepare.mjs';

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
const [area = '', cases] = positionals;

requireNode();
if (!(await install()) || !(await buildWeb()) || !(await buildServer())) process.exit(1);

const missing = (area === 'growthbook' ? [] : Object.entries(needed)).flatMap(([file, name]) =>
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
process.exitCode = await run(
  node,
  [join(root, 'dev/interop/main.ts'), area, ...(cases === undefined ? [] : [resolve(cases)])],
  { CHROMIUM: await ensureBrowser() },
);

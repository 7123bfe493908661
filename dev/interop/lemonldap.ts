import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, startProgram } from './programs.ts';

/*
 * The portal of LemonLDAP::NG as Debian packages it, an OpenID Connect provider with one client and demonstration
 * accounts (the password is the name). Its configuration, sessions and socket are in its own folder, not in /etc.
 */

export const client = { id: 'portico-1.0_a', secret: 's-e_c.r~e*t!' };

/**
 * A client whose Basic header holds a `+`, where this version of the portal stops reading; sent in the body, its
 * credentials arrive whole.
 */
export const cutClient = { id: 'portico-1.0_a~b', secret: client.secret };

const portalFiles = '/usr/share/lemonldap-ng/portal';

export type LemonLdap = ReturnType<typeof startLemonLdap>;

export function startLemonLdap(folder: string, portalPort: number, porticoUrl: string) {
  const here = join(folder, 'lemonldap');
  const [sessions, cache] = [join(here, 'sessions'), join(here, 'cache')];
  for (const name of ['conf', 'sessions/lock', 'persistent/lock', 'cache'])
    mkdirSync(join(here, name), { recursive: true });
  const portal = `https://localhost:${portalPort}/`;
  writeFileSync(join(here, 'conf/lmConf-1.json'), JSON.stringify(configuration(here, portal, porticoUrl)));
  writeFileSync(join(here, 'lemonldap-ng.ini'), settings(here));
  const env = {
    LLNG_DEFAULTCONFFILE: join(here, 'lemonldap-ng.ini'),
    LLNG_DEFAULTLOGGER: 'Lemonldap::NG::Common::Logger::Std',
  };
  const args = ['--foreground', '-s', join(here, 'socket'), '--pid', join(here, 'pid'), '-n', '2'];
  // The portal refuses to run as root.
  if (process.getuid?.() === 0) {
    execFileSync('chown', ['-R', 'www-data:www-data', here]);
    args.push('-u', 'www-data', '-g', 'www-data');
  }
  startProgram('/usr/sbin/llng-fastcgi-server', args, { env });
  return {
    /** The `server` block with which an nginx shows the portal over TLS. */
    nginxServer: nginxServer(folder, here, portalPort),
    /**
     * Ends sessions of an account as the sessions explorer does: those of single sign-on, or their refresh
     * tokens too.
     */
    endSessions(account: string, what: 'single sign-on' | 'all'): number {
      const files = readdirSync(sessions)
        .filter((name) => name !== 'lock')
        .map((name) => ({ name, text: readFileSync(join(sessions, name), 'latin1') }));
      const logins = files.filter(
        ({ text }) => text.includes('"_session_kind":"SSO"') && text.includes(`"uid":"${account}"`),
      );
      const tokens = files.filter(
        ({ text }) =>
          text.includes('"_type":"refresh_token"') && logins.some(({ name }) => text.includes(`"${name}"`)),
      );
      const meant = what === 'all' ? [...logins, ...tokens] : logins;
      for (const { name } of meant) rmSync(join(sessions, name));
      // A session that was deleted must not be read from the cache either.
      for (const name of readdirSync(cache)) rmSync(join(cache, name), { recursive: true, force: true });
      return meant.length;
    },
    /** Waits until the portal answers. */
    async ready(): Promise<void> {
      const answers = async () => (await fetch(`${portal}.well-known/openid-configuration`)).status === 200;
      await eventually('LemonLDAP::NG did not start.', answers);
    },
  };
}

/**
 * The parts of lmConf that make the portal a provider; docs/identity-providers/lemonldap-ng.md describes where they
 * stand in the Manager.
 */
function configuration(here: string, portal: string, porticoUrl: string): object {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const generateModule = 'Lemonldap::NG::Common::Apache::Session::Generate::SHA256';
  const inFiles = (name: string): object => ({
    Directory: join(here, name),
    LockDirectory: join(here, name, 'lock'),
    generateModule,
  });
  const cached = { default_expires_in: 600, directory_umask: '007', cache_depth: 3 };
  const options = ({ id, secret }: typeof client): object => ({
    oidcRPMetaDataOptionsClientID: id,
    oidcRPMetaDataOptionsClientSecret: secret,
    oidcRPMetaDataOptionsRedirectUris: `${porticoUrl}/auth/callback`,
    oidcRPMetaDataOptionsPostLogoutRedirectUris: porticoUrl,
    oidcRPMetaDataOptionsIDTokenSignAlg: 'RS256',
    oidcRPMetaDataOptionsRequirePKCE: 1,
    oidcRPMetaDataOptionsBypassConsent: 1,
    oidcRPMetaDataOptionsRefreshToken: 1,
    oidcRPMetaDataOptionsIDTokenForceClaims: 1,
    oidcRPMetaDataOptionsLogoutBypassConfirm: 1,
  });
  const edition = { cfgNum: 1, cfgVersion: '2.16.1', cfgAuthor: 'interop', cfgDate: '1' };
  const cookie = { domain: 'localhost', cookieName: 'lemonldap', securedCookie: 1 };
  const accounts = { authentication: 'Demo', userDB: 'Same', passwordDB: 'Null', registerDB: 'Null' };
  return {
    ...edition,
    ...cookie,
    ...accounts,
    portal,
    key: 'only for tests!!',
    whatToTrace: 'uid',
    demoExportedVars: { cn: 'cn', mail: 'mail', uid: 'uid' },
    // The portal says of one account that it signed in long ago; an empty claim takes the place of none.
    macros: { mail_checked: '1', old_time: '$uid eq "rtyler" ? 1 : ""' },
    globalStorage: 'Apache::Session::File',
    globalStorageOptions: inFiles('sessions'),
    persistentStorage: 'Apache::Session::File',
    persistentStorageOptions: inFiles('persistent'),
    localSessionStorage: 'Cache::FileCache',
    localSessionStorageOptions: { namespace: 'interop', cache_root: join(here, 'cache'), ...cached },
    // The portal asks for no new sign-in within so many seconds of the last one.
    portalForceAuthnInterval: 0,
    loginHistoryEnabled: 0,
    portalDisplayRegister: 0,
    portalDisplayResetPassword: 0,
    locationRules: { localhost: { default: 'accept' } },
    issuerDBOpenIDConnectActivation: 1,
    oidcServiceAllowAuthorizationCodeFlow: 1,
    oidcServiceKeyIdSig: 'interop',
    oidcServicePrivateKeySig: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    oidcServicePublicKeySig: publicKey.export({ type: 'spki', format: 'pem' }),
    oidcRPMetaDataOptions: { portico: options(client), cut: options(cutClient) },
    oidcRPMetaDataExportedVars: {
      portico: {
        name: 'cn',
        email: 'mail',
        email_verified: 'mail_checked;bool;never',
        groups: 'groups;string;always',
        auth_time: 'old_time;int;never',
      },
    },
    oidcRPMetaDataOptionsExtraClaims: {
      portico: { profile: 'name groups', email: 'email email_verified auth_time' },
    },
  };
}

function settings(here: string): string {
  const cache = `{ 'namespace' => 'interop-config', 'default_expires_in' => 600, 'directory_umask' => '007', 'cache_root' => '${here}/cache', 'cache_depth' => 3 }`;
  return `[all]
logLevel = warn
[configuration]
type = File
dirName = ${here}/conf
localStorage = Cache::FileCache
localStorageOptions = ${cache}
[portal]
staticPrefix = /static
templateDir = ${portalFiles}/templates
languages = en
[handler]
useRedirectOnError = 1
`;
}

/** The same as /etc/lemonldap-ng/portal-nginx.conf, but on a port of its own and with TLS. */
function nginxServer(folder: string, here: string, port: number): string {
  return `server {
    listen 127.0.0.1:${port} ssl;
    server_name localhost;
    ssl_certificate ${folder}/cert.pem;
    ssl_certificate_key ${folder}/key.pem;
    root ${portalFiles}/htdocs/;
    if ($uri !~ ^/((static|javascript|favicon).*|.*\\.psgi)) { rewrite ^/(.*)$ /index.psgi/$1 break; }
    location ~ ^(?<sc>/.*\\.psgi)(?:$|/) {
        include /etc/nginx/fastcgi_params;
        fastcgi_pass unix:${here}/socket;
        fastcgi_param HTTP_HOST $http_host;
        fastcgi_param LLTYPE psgi;
        fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
        fastcgi_split_path_info ^(.*\\.psgi)(/.*)$;
        fastcgi_param PATH_INFO $fastcgi_path_info;
    }
    location /static/ { alias ${portalFiles}/htdocs/static/; }
    location /javascript/ { alias /usr/share/javascript/; }
}
`;
}

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { gateway, get, open, passed, raw, seen, showHeaders, valuesOf } from '#server/testing/gateway.ts';
import type { Admission } from './admission.ts';

const named: Admission = {
  ...passed,
  headers: [
    ['Portico-Assertion', 'signed'],
    ['X-Portico-User-Id', 'p1'],
    ['X-Portico-Email', 'zo%C3%AB@example.org'],
    ['X-Portico-Name', 'Zo%C3%AB%20%C3%98st'],
    ['X-Portico-Roles', 'member,pump-reader'],
    ['X-Portico-Rights', ''],
  ],
};

/** As other products name a caller, in the spelling of their documents. */
const namesOfOthers = `
  Remote-User REMOTE_USER Remote-Name Remote-Email Remote-Groups X-Remote-User X-Remote-Group X-Remote-Extra-Scopes
  X-Forwarded-User X-Forwarded-Email X-Forwarded-Groups X-Forwarded-Preferred-Username X-Forwarded-Access-Token
  X-Forwarded-Client-Cert X-Forwarded-Tls-Client-Cert X-WEBAUTH-USER X-WEBAUTH-NAME X-WEBAUTH-GROUPS
  X-Auth-Request-User X-Auth-Request-Email X-Auth-Request-Access-Token X-Authenticated-User X-Authenticated-Userid
  X-Token-Subject X-Token-User-Email X-Auth-User X-Auth-Username X-Auth-Userid X-Auth-Roles Auth-User Auth-Mail
  SSL_CLIENT_S_DN SSL-Client-Cert SSL_CLIENT_VERIFY X-SSL-Client-DN X-SSL-Cert X-Client-Cert X-Client-Verify Client-Cert
  X-ARR-ClientCert X-Amzn-Oidc-Identity X-Amzn-Oidc-Data X-Amzn-Mtls-Clientcert Cf-Access-Authenticated-User-Email
  Cf-Access-Jwt-Assertion X-Goog-Authenticated-User-Email X-Goog-IAP-JWT-Assertion X-MS-CLIENT-PRINCIPAL
  X-MS-CLIENT-PRINCIPAL-NAME X-MS-TOKEN-AAD-ID-TOKEN Tailscale-User-Login X-Vouch-User X-Vouch-IdP-Claims-Groups
  X-authentik-username X-Pomerium-Claim-Email X-Consumer-Username X-Credential-Identifier X-Userinfo X-ID-Token
  X-User X-User-Id X-User-Email X-Username X-Email X-Groups X-Roles X-Principal X-SSO-User X-Proxy-User X-Trusted-User
  Shib-Session-ID eppn OIDC_CLAIM_email MELLON_NAME_ID SM_USER SMUSER iv-user OAM_REMOTE_USER $WSRU WL-Proxy-Client-Cert
  X-ProxiedEntitiesChain X-AppEngine-User-Email X-Sandstorm-User-Id Teleport-Jwt-Assertion Ngrok-Auth-User-Email
  X-Proxy-REMOTE-USER X-Alfresco-Remote-User CAS-User X-RStudio-Username sec-username sec-roles sec-org Impersonate-User
  Impersonate-Extra-Scopes opendistro_security_impersonate_as`
  .trim()
  .split(/\s+/);

describe('GATE-8: names of headers that say who calls', () => {
  it.each(namesOfOthers)('%s of a client reaches no application, however it is spelled', async (name) => {
    const { port } = await gateway(showHeaders, { trustProxy: 1 });
    const spellings = [name, name.toUpperCase(), name.replaceAll('-', '_'), name.replaceAll(/[_-]/g, '.')];
    for (const spelling of spellings)
      expect(await seen(port, get('/', `${spelling}: admin\r\n`))).not.toContain('admin');
  });

  it.each([
    'User-Agent',
    'X-Auth-Token',
    'X-Access-Token',
    'X-Api-Key',
    'X-CSRF-Token',
    'Private-Token',
    'X-Client-Version',
    'X-Session-Id',
    'Sec-Fetch-User',
    'Sec-WebSocket-Protocol',
    'Sec-CH-UA',
    'From',
    'X-Amz-Security-Token',
    'X-Trino-User',
  ])('%s is no such name', async (name) => {
    const { port } = await gateway(showHeaders);
    expect(valuesOf(await seen(port, get('/', `${name}: 1\r\n`)), name.toLowerCase())).toEqual(['1']);
  });

  it('are kept where the application wants them of its clients, and others are not', async () => {
    const clientHeaders = ['X-User-Id', 'x-forwarded-user'];
    const { port } = await gateway(showHeaders, { upstream: { clientHeaders } });
    const headers = await seen(
      port,
      get('/', 'X-User-Id: 7\r\nX-Forwarded-User: ada\r\nRemote-User: root\r\nX-Portico-Email: root\r\n'),
    );
    expect([valuesOf(headers, 'x-user-id'), valuesOf(headers, 'x-forwarded-user')]).toEqual([['7'], ['ada']]);
    expect(headers).not.toContain('root');
  });

  it('are an application’s own for the caller, from Portico alone', async () => {
    const identityHeaders = {
      'Remote-User': 'email',
      'X-WEBAUTH-NAME': 'name',
      X_Acme_Who: 'id',
      'X-Groups': 'roles',
      'X-Acme-Rights': 'rights',
      'X-Jwt-Assertion': 'assertion',
    } as const;
    const { port } = await gateway(showHeaders, { upstream: { identityHeaders }, admit: () => named });
    const forged = 'remote_user: root\r\nX-WebAuth-Name: root\r\nX-Acme-Who: root\r\nX-Acme-Rights: root\r\n';
    const headers = await seen(port, get('/', forged));
    expect(headers).not.toContain('root');
    expect(Object.keys(identityHeaders).map((name) => valuesOf(headers, name.toLowerCase()))).toEqual([
      ['zo%C3%AB@example.org'],
      ['Zo%C3%AB%20%C3%98st'],
      ['p1'],
      ['member,pump-reader'],
      // Some applications take an empty one for a person without a name.
      [],
      ['signed'],
    ]);
    expect(valuesOf(headers, 'x-portico-user-id')).toEqual(['p1']);
  });

  it('are no trailers either', async () => {
    const showTrailers: RequestListener = (request, response) => {
      request.resume().on('end', () => response.end(JSON.stringify(request.rawTrailers)));
    };
    const identityHeaders = { 'X-Acme-Who': 'id' } as const;
    const { port } = await gateway(showTrailers, { upstream: { identityHeaders } });
    const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n';
    const answer = await raw(
      port,
      `${head}Trailer: X-Sum\r\n\r\n0\r\nX-Sum: 5\r\nX-Acme-Who: root\r\nRemote_User: root\r\n\r\n`,
    );
    expect(answer).toMatch(/\["X-Sum","5"\]/);
  });

  it('name no one where no one is known', async () => {
    const identityHeaders = { 'Remote-User': 'email' } as const;
    const admit = (): Admission => ({ is: 'passed', caller: null, headers: [] });
    const { port } = await gateway(showHeaders, { upstream: { identityHeaders }, admit });
    expect(valuesOf(await seen(port, get('/', 'Remote-User: root\r\n')), 'remote-user')).toEqual([]);
  });

  it('are the same for a WebSocket', async () => {
    const server = createServer();
    const peers = new WebSocketServer({ server });
    open.push(() => {
      for (const peer of peers.clients) peer.terminate();
      peers.close();
    });
    peers.on('connection', (peer, request) => peer.send(JSON.stringify(request.headers)));
    const identityHeaders = { 'X-WEBAUTH-USER': 'email' } as const;
    const { port } = await gateway(server, { upstream: { identityHeaders }, admit: () => named });
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, {
      headers: { 'x-webauth-user': 'root', 'x-remote-user': 'root' },
    });
    const [hello] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(hello.toString())).toMatchObject({ 'x-webauth-user': 'zo%C3%AB@example.org' });
    expect(hello.toString()).not.toContain('root');
    socket.terminate();
  });
});

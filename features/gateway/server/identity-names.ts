/** A header's name as servers compare it that make one variable of `X-Remote-User` and `X_Remote_User` (CGI, WSGI). */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-');
}

/** What names of headers call a person, or what a person has. */
const person =
  '(?:user|users|user-?name|user-?id|user-?dn|user-?e?mail|user-?info|user-?groups?|user-?roles?|e?mail|login|groups?|roles?|principal|subject|identity)';

/**
 * Names by which proxies, gateways, single sign-on and TLS in front of an application name the caller, as their
 * documents have them. An application that was once behind one of these may still believe them.
 */
const namesOfOthers = [
  `(?:x-)?(?:user|user-?name|user-?id|user-?dn|user-?e?mail|user-?info|user-?groups?|user-?roles?)`,
  `x-${person}`,
  `(?:x-)?(?:access|auth|authorized|cas|claims?|current|jwt|logged-in|original|proxy|real|rstudio|sso|trusted)-${person}`,
  // CGI, Authelia, oauth2-proxy, authentik, Vouch, Pomerium, Kong, Sandstorm, Teleport, Tailscale, ngrok, Replit
  '(?:x-|http-|redirect-)*(?:remote|webauth)(?:-.*)?',
  // Nexus, Alfresco, geOrchestra, Kubernetes, OpenSearch
  `.*-remote-${person}`,
  `sec-(?:${person}|orgs?|org-?name|first-?name|last-?name|proxy)`,
  '(?:.*-)?impersonate-(?:as|user|group|uid|extra-.*)',
  '(?:x-)?(?:auth-request|authenticated|authentik|vouch|pomerium|consumer|credential|anonymous-consumer)(?:-.*)?',
  '(?:x-)?(?:sandstorm|teleport|tailscale|ngrok-auth|replit-user|proxied|proxiedentit)(?:-.*|y.*|ies.*)?',
  'x-(?:token|id-token|jwt-assertion|jwt-payload|jwt-claims?)(?:-.*)?',
  'x-auth-(?:audience|expiresin|name|given-name|family-name)',
  // Amazon, Cloudflare, Google, Microsoft
  'x-amzn-(?:oidc|mtls)-.*',
  'cf-access-.*',
  'x-(?:goog-authenticated-user|goog-iap|appengine-user|endpoint-api-userinfo|apigateway-api-userinfo)(?:-.*)?',
  'x-ms-(?:client-principal|token)(?:-.*)?',
  // Shibboleth, mod_auth_openidc, mod_auth_mellon, SiteMinder, WebSEAL, Oracle, WebSphere, WebLogic
  '(?:x-)?(?:shib|ajp|oidc|mellon|saml|ldap|krb|sm|iv|oam|osso|wl-proxy)-.*',
  'smuser.*|-ws[a-z]{2}|eppn|eduperson.*|persistent-id|targeted-id|(?:unscoped-)?affiliation|entitlement',
  // Certificates of clients: RFC 9440, nginx, Apache, HAProxy, IIS
  '(?:x-)?(?:ssl|tls|mtls)-.*',
  '(?:x-)?(?:arr-|proxy-)?client-?(?:cert|certificate|dn|s-dn|i-dn|subject|issuer|verify|verified)(?:-.*)?',
];
const ofOthers = new RegExp(`^(?:${namesOfOthers.join('|')})$`);

/** Whether a header of this plain name says who calls, to one application or another. */
export function namesCaller(plain: string): boolean {
  return ofOthers.test(plain);
}

import { hostName } from '#server/platform/http/trusted-proxies.ts';

/** What an application's addresses become for its clients. */
export type PublicAddresses = {
  /** Where Portico reaches the application. */
  upstream: URL;
  /** Scheme and host that the client uses. */
  publicOrigin: string;
  /** What is cut off the paths that the application receives, without a slash at its end; '' for nothing. */
  prefix: string;
  /** Folders of the public host. A path in one of them is public already. */
  publicFolders: readonly string[];
};

const withAuthority = /^(\s*(?:(https?):)?[/\\]{2,}([^/\\?#]*))(.*)$/is;
const defaultPorts: Record<string, string> = { 'http:': '80', 'https:': '443' };

/** Translates an address in an answer, as browsers read it: the application's own address or path becomes public. */
export function publicAddress(value: string, addresses: PublicAddresses): string {
  const { upstream, publicOrigin, prefix } = addresses;
  const [, begin = '', scheme, authority = '', rest = ''] = withAuthority.exec(value) ?? [];
  if (begin === '') return value.startsWith('/') ? withPrefix(value, addresses) : value;
  const address = `${scheme ?? upstream.protocol.slice(0, -1)}://${authority}`;
  if (!URL.canParse(address)) return value;
  const named = new URL(address);
  if (isSamePlace(named, upstream)) return `${publicOrigin}${withPrefix(rest, addresses)}`;
  return prefix !== '' && publicOrigin.toLowerCase().endsWith(`://${named.host}`)
    ? `${begin}${withPrefix(rest, addresses)}`
    : value;
}

/** Compares all but the scheme: an application may know that its clients use https. */
function isSamePlace(one: URL, other: URL): boolean {
  const isUsual = one.port === '' && other.port === '';
  return nameOf(one) === nameOf(other) && (isUsual || portOf(one) === portOf(other));
}

/** The host, with one name for this machine: the application may use another name for it than Portico does. */
function nameOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, '').replace(/^(?:127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/, 'localhost');
}

function portOf({ port, protocol }: URL): string | undefined {
  return port === '' ? defaultPorts[protocol] : port;
}

function withPrefix(rest: string, { prefix, publicFolders }: PublicAddresses): string {
  if (prefix === '') return rest;
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  const isPublic = publicFolders.some(
    (folder) => path.startsWith(folder) && /^(?:[/?#]|$)/.test(path.slice(folder.length)),
  );
  return isPublic ? path : `${prefix}${path}`;
}

/** The header `Refresh`: seconds, and mostly an address. */
export function publicRefresh(value: string, addresses: PublicAddresses): string {
  const [, begin = '', address = ''] =
    /^(\s*\d[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?["']?)(.*)$/is.exec(value) ?? [];
  return begin === '' ? value : `${begin}${publicAddress(address, addresses)}`;
}

/** The header `Link` (RFC 8288). */
export function publicLinks(value: string, addresses: PublicAddresses): string {
  return value.replaceAll(
    /<([^<>]*)>/g,
    (_link, address: string) => `<${publicAddress(address, addresses)}>`,
  );
}

/**
 * Rewrites `Set-Cookie` for the public host: drops a domain that does not cover this host, which browsers would
 * refuse, and puts the prefix that was cut off back into the path.
 */
export function publicCookie(value: string, addresses: PublicAddresses): string {
  const { publicOrigin, prefix } = addresses;
  if (prefix === '' && !/;\s*domain/i.test(value)) return value;
  const [pair = '', ...attributes] = value.split(';');
  const host = hostName(publicOrigin.slice(publicOrigin.indexOf('://') + 3));
  // With this prefix browsers accept a cookie only if it is for all paths.
  const keepsPath = prefix === '' || /^\s*__host-/i.test(pair);
  const kept = attributes.flatMap((attribute) => {
    const [name = '', ...rest] = attribute.split('=').map((part) => part.trim());
    const given = rest.join('=');
    if (/^domain$/i.test(name)) {
      const domain = given.toLowerCase().replace(/^\./, '');
      return domain === '' || host === domain || host.endsWith(`.${domain}`) ? [attribute] : [];
    }
    if (keepsPath || !/^path$/i.test(name) || !given.startsWith('/')) return [attribute];
    return [` Path=${given === '/' ? prefix : withPrefix(given, addresses)}`];
  });
  return [pair, ...kept].join(';');
}

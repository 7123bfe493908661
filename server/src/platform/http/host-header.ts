import type { IncomingMessage } from 'node:http';

/** Whether a request names one host (RFC 9112, 3.2), as a proxy could use another. HTTP/1.0 needs none. */
export function namesOneHost({
  rawHeaders,
  headers,
  httpVersionMinor,
  httpVersionMajor,
}: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersionMajor === 1 && httpVersionMinor === 0;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 && hostName.test(headers.host);
}

/** A host and maybe a port (RFC 3986, 3.2.2); empty for a target without one. */
const hostName = /^[\w.~%!$&'()*+,;=:[\]-]*$/;

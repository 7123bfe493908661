import * as z from 'zod/mini';

// Browsers and Node both have `URL`; the contract is compiled without the types of either.
declare const URL: new (address: string) => { hostname: string };

// RFC 5321 with the letters of RFC 6531. Local part: atoms, with dots wherever HTML's `type=email` allows them, or
// a quoted text without `<` and `>`, which mailers remove. Domain: as HTML has it, or an IP address in brackets.
const local = String.raw`(?:[^\p{C}\p{Z}"(),:;<>@[\]\\]+|"(?:[^\p{C}\p{Z}"\\<>]|\\["\\]| )*")`;
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const byte = String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)`;
const literal = String.raw`\[(?:${byte}(?:\.${byte}){3}|ipv6:[0-9a-f:.]{2,45}|[a-z0-9-]*[a-z0-9]:[!-?A-Z^-~]+)\]`;
// Unicode replaces these by a semicolon, a grave accent and the letter K: another person's address could result.
const becomesAscii = /[\u037e\u1fef\u212a]/;
const normalForm = new RegExp(
  String.raw`^(?!.*${becomesAscii.source})${local}@(?:${label}(?:\.${label})*|${literal})$`,
  'u',
);

/**
 * The email address of a person, in the form in which addresses are stored and compared: lower case, NFC, the domain in
 * ASCII (`bücher.example` is `xn--bcher-kva.example`), quotes only where the local part needs them. At most 254
 * characters (RFC 5321, 6531).
 */
export const emailAddress = z
  .string()
  .check(z.overwrite(normalizedAddress), z.maxLength(254), z.regex(normalForm, 'is not an email address'));

/** Text typed in place of an address, such as at a sign-in, in the form of addresses; it may be no address. */
export const typedAddress = z.string().check(z.overwrite(normalizedAddress), z.maxLength(254));

/** Returns an address in its form for comparisons, and other text, such as a part of an address, in lower case. */
export function normalizedAddress(text: string): string {
  const typed = text.trim();
  if (becomesAscii.test(typed)) return typed;
  const address = typed.normalize('NFC').toLowerCase().normalize('NFC');
  const at = address.lastIndexOf('@');
  return at < 0 ? address : `${plainLocal(address.slice(0, at))}@${asciiDomain(address.slice(at + 1))}`;
}

function plainLocal(part: string): string {
  if (!/^".*"$/.test(part)) return part;
  const content = part.slice(1, -1).replaceAll(/\\(.)/g, '$1');
  if (/^[^\s"(),:;<>@[\]\\]+$/.test(content)) return content;
  return `"${content.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/**
 * Returns a domain in ASCII, as browsers and resolvers read it (UTS 46); unchanged if it is no domain, or if UTS 46
 * would drop a part.
 */
function asciiDomain(domain: string): string {
  const isAscii = /^[\0-\x7f]*$/.test(domain);
  const visible = domain.replaceAll(/[\u200c\u200d]/g, '');
  if (
    isAscii ||
    domain.normalize('NFKC') !== domain ||
    !/^(?:[a-z0-9.-]|[^\0-\x7f\p{C}\p{Z}])*$/u.test(visible)
  )
    return domain;
  try {
    const { hostname } = new URL(`http://${domain}`);
    return /^[\d.]+$/.test(hostname) ? domain : hostname;
  } catch {
    return domain;
  }
}

/** Replaces a secret, as in Sentry's own scrubbing. */
export const filtered = '[Filtered]';

/**
 * Names whose values are secret: those of Sentry's default scrubbing, and other names of credentials. `auth` counts
 * alone and in `authoriz…`, but not in `author`.
 */
const secretName =
  /passw|passphrase|secret|api_?-?key|private_?-?key|access_?-?key|credential|token|bearer|session_?-?id|sess_?id|\bsid\b|cookie|csrf|xsrf|jwt|mysql_?pwd|\bpwd\b|stripe|card_?-?number|\bcvv\b|\biban\b|\bssn\b|\botp\b|(?:^|[^a-z])auth(?:$|[^a-z]|oriz)|x-forwarded|signature/i;

export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

const secretTexts: readonly [RegExp, string][] = [
  // JSON Web Tokens, wherever they stand.
  [/\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/g, filtered],
  [/\b(Bearer|Basic)\s+[\w+/=.~-]{8,}/gi, `$1 ${filtered}`],
  // User name and password in an address.
  [/(:\/\/)[^\s/@:]{0,200}:[^\s/@]{1,200}@/g, `$1${filtered}@`],
  [/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g, filtered],
  // Numbers of payment cards in their usual groups.
  [/\b(?:\d{4}[ -]){3}\d{1,7}\b|\b(?:4\d{15}|5[1-5]\d{14}|3[47]\d{13})\b/g, filtered],
];

/** A name before its value, in a query or in a text that writes `name=value`, `name: value` or JSON. */
const nameOfValue = /(?<=[?&;\s,{("']|^)([\w.[\]-]{1,60})["']?\s?[=:]\s?["']?/g;
const value = /[^\s&;,"'<>)}]{1,2000}/y;
/** A value in quotes ends at the same quote. */
const quoted = new Map([
  ['"', /(?:[^"\\\n]|\\.){1,2000}(?=")/y],
  ["'", /(?:[^'\\\n]|\\.){1,2000}(?=')/y],
]);

/** A text without the parts that can be recognized as secrets. */
export function withoutSecrets(text: string): string {
  if (text.length < 8) return text;
  let clean = text;
  for (const [pattern, replacement] of secretTexts) clean = clean.replaceAll(pattern, replacement);
  return /[=:]/.test(clean) ? withoutSecretValues(clean) : clean;
}

/** Returns where the match of a sticky pattern that begins at `from` ends; null: there is no match. */
function endOf(pattern: RegExp | undefined, text: string, from: number): number | null {
  if (pattern === undefined) return null;
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : null;
}

function withoutSecretValues(text: string): string {
  let clean = '';
  let done = 0;
  nameOfValue.lastIndex = 0;
  for (let name = nameOfValue.exec(text); name !== null; name = nameOfValue.exec(text)) {
    if (!isSecretName(name[1] ?? '')) continue;
    const from = nameOfValue.lastIndex;
    const until = endOf(quoted.get(text.charAt(from - 1)), text, from) ?? endOf(value, text, from);
    if (until === null) continue;
    clean += text.slice(done, from) + filtered;
    done = until;
    nameOfValue.lastIndex = done;
  }
  return clean + text.slice(done);
}

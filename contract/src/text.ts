import * as z from 'zod/mini';

// Control characters (tab and line breaks aside) have no meaning in any text that a person types here, and
// hide things in logs and terminals. Written as escapes, since the characters themselves would be invisible.
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const controls = new RegExp(control.source, 'g');
const lineBreak = /[\n\r\t]/;

/**
 * Trimmed text on one line (empty where nothing of it can be seen), without control or direction-override
 * characters; lengths in UTF-16 units, after trimming. A half of a surrogate pair is refused: databases store
 * U+FFFD in its place, and parsers of other languages refuse JSON that holds one (RFC 8259, 8.2).
 */
export function line(minimum: number, maximum: number) {
  return z.string().check(
    z.overwrite(trimmed),
    z.minLength(minimum),
    z.maxLength(maximum),
    z.refine((text) => !control.test(text) && !lineBreak.test(text), 'contains control characters'),
    z.refine((text) => text.isWellFormed(), 'contains half of a character'),
  );
}

/** As `line`, but it may have several lines. */
export function prose(minimum: number, maximum: number) {
  return z.string().check(
    z.overwrite(trimmed),
    z.minLength(minimum),
    z.maxLength(maximum),
    z.refine((text) => !control.test(text), 'contains control characters'),
    z.refine((text) => text.isWellFormed(), 'contains half of a character'),
  );
}

/**
 * Like `line`, but characters without meaning on one line are removed or become a space instead of being refused,
 * and a text without visible characters becomes empty.
 */
export function cleanLine(minimum: number, maximum: number) {
  return z.string().check(
    z.overwrite((text) => orEmpty(cleaned(text).replaceAll(/\s+/g, ' ').trim())),
    z.minLength(minimum),
    z.maxLength(maximum),
  );
}

/**
 * As `prose`, but control characters are removed instead of being refused, line breaks are `\n`, and a text
 * in which nothing can be seen is empty.
 */
export function cleanProse(minimum: number, maximum: number) {
  return z.string().check(
    z.overwrite((text) => orEmpty(cleaned(text.replaceAll(/\r\n?|\u2028|\u2029/g, '\n')).trim())),
    z.minLength(minimum),
    z.maxLength(maximum),
  );
}

// White space, controls, characters without a shape in Unicode (zero-width joiners, soft hyphens, fillers, variation
// selectors, tags), the marks around annotations, and the Braille pattern without dots.
const unseen = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]*$/u;

/** Whether nothing of a text is visible. Invisible characters next to visible ones stay: scripts need them. */
export function isBlank(text: string): boolean {
  return unseen.test(text);
}

/** A text of zero-width characters alone becomes empty; control characters stay, so that they are refused. */
function trimmed(text: string): string {
  const trim = text.trim();
  return isBlank(trim) && !control.test(trim) ? '' : trim;
}

function orEmpty(text: string): string {
  return isBlank(text) ? '' : text;
}

/**
 * A text without control and direction-override characters, tabs and line breaks aside, and without halves of
 * surrogate pairs: a lone half is no character, and PostgreSQL takes none.
 */
export function cleaned(text: string): string {
  return control.test(text) ? text.replaceAll(controls, '').toWellFormed() : text.toWellFormed();
}

export const webAddressLimit = 1_000;

/**
 * An address that a link may lead to: http or https, without a password. Code that has a URL parser checks whether
 * the address can be parsed.
 */
export const webAddress = line(1, webAddressLimit).check(
  z.regex(
    /^https?:\/\/[^\s/?#@\\]+(?:[/?#]\S*)?$/i,
    'is not an address that begins with http:// or https://, without a password',
  ),
);

/** An id: 1 to 64 letters, digits, `-` and `_`. */
export const id = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/));

/** A point in time: whole milliseconds since 1970-01-01T00:00Z. */
export const instant = z.int().check(z.nonnegative(), z.maximum(8_640_000_000_000_000));

/** The version of a stored object, for optimistic locking: clients send back what they read; a stale one is 409. */
export const version = z.int().check(z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER));

/** The client's own id of a report or an error: 32 hexadecimal digits. Sent again, it stores nothing new. */
export const eventId = z.string().check(z.regex(/^[0-9a-f]{32}$/));

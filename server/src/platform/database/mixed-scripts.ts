const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u,
];

/**
 * Whether a part of an email address, between `@`, `.`, `-`, `_` and `+`, is written in more than one script, or
 * holds invisible characters.
 */
export function mixesScripts(email: string): boolean {
  if (/[\p{Cf}\p{Cc}]/u.test(email)) return true;
  return email
    .split(/[@.\-_+]/)
    .some((part) => scripts.filter((script) => script.test(part.normalize('NFKC'))).length > 1);
}

/**
 * Letters that look like one of a to z in most typefaces, from Cyrillic, Greek, Armenian and Latin's own
 * variants; after Unicode's list of confusables (UTS 39), as far as addresses of people hold such letters.
 */
const lookAlikes: Record<string, string> = {
  a: 'аɑα',
  b: 'ьƅ',
  c: 'сϲᴄ',
  d: 'ԁɗ',
  e: 'еҽє',
  f: 'ſϝ',
  g: 'ɡցԍ',
  h: 'һհ',
  i: 'іıιɩ',
  j: 'јϳ',
  k: 'кκ',
  l: 'ӏ1|ⅼ',
  m: 'м',
  n: 'ոпη',
  o: 'оοσօ0',
  p: 'рρ',
  q: 'ԛգ',
  r: 'гᴦ',
  s: 'ѕꜱ',
  t: 'тτ',
  u: 'υսᴜ',
  v: 'ѵνᴠ',
  w: 'ԝωա',
  x: 'хχ',
  y: 'уүγ',
  z: 'ᴢ',
  '-': '‐‑‒–—',
  '.': '․。',
};

const plain = new Map(
  Object.entries(lookAlikes).flatMap(([letter, others]) =>
    Array.from(others).map((other) => [other, letter]),
  ),
);

/**
 * What an email address looks like: two addresses with the same skeleton can be taken for each other (UTS
 * 39, 4). It is compared with others, never shown and never written to.
 */
export function emailSkeleton(email: string): string {
  const folded = email
    .normalize('NFKD')
    .replaceAll(/\p{M}|\p{Cf}/gu, '')
    .toLowerCase();
  const letters = Array.from(folded, (letter) => plain.get(letter) ?? letter).join('');
  return letters.replaceAll('rn', 'm').replaceAll('vv', 'w');
}

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

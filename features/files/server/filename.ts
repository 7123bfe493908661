// A reader of the name must see its real type: no direction overrides, nothing invisible. Joiners hold
// together the letters of some scripts and the pictures of some emoji.
const invisible = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;
const lineBreaks = /[\t-\r\u0085\u2028\u2029]/g;
/** Characters that Windows accepts in no name. */
const forbidden = /[<>:"|?*]/g;
const reserved = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/i;
const most = 200;
/** The middle of a longer name is skipped: cleaning 16,000 dots takes a tenth of a second. */
const longest = 2_000;
const mostOfExtension = 20;

/**
 * Makes a safe name of a file from any text: the last part of a path, one line, no leading dot, no device of
 * Windows, at most 200 UTF-16 units with the extension; `file` if nothing is left.
 */
export function cleanFilename(sent: string): string {
  const parts = sent.toWellFormed().replaceAll(lineBreaks, ' ').replaceAll(invisible, '').split(/[/\\]/);
  const names = parts.map(tidy).filter((name) => name !== '');
  const name = names.at(-1) ?? 'file';
  return shortened(reserved.test(name) ? `_${name}` : name);
}

function tidy(part: string): string {
  const half = longest / 2;
  return (part.length > longest ? (part.slice(0, half) + part.slice(-half)).toWellFormed() : part)
    .normalize('NFC')
    .replaceAll(forbidden, '_')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/^[ .]+|[ .]+$/g, '');
}

function shortened(name: string): string {
  if (name.length <= most) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= mostOfExtension ? name.slice(dot) : '';
  const stem = name.slice(0, most - extension.length).replace(/[\ud800-\udbff]$/, '');
  return tidy(stem + extension);
}

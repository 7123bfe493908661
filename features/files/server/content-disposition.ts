/**
 * The header with a file's name and whether it may be shown (RFC 6266): the name twice, plain for old clients
 * and whole in UTF-8 (RFC 8187).
 */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  const plain = filename.replaceAll(/[^\u0020-\u007e]|["\\%]/gu, '_');
  const whole = encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`;
}

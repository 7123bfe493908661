/** A key for a role of that name: lower-case letters, digits and `-`. */
export function roleKeyOf(name: string): string {
  const key = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[-0-9]+|-+$/g, '')
    .slice(0, 48);
  return key === '' ? '' : key.replace(/-+$/, '');
}

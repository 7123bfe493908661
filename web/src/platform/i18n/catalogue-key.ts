/** A value of the contract as the catalogues write it in their keys: `read-only` is `READ_ONLY`. */
export function catalogueKey(value: string): string {
  return value.toUpperCase().replaceAll('-', '_');
}

/** Converts a value of the contract into its form in catalogue keys: `read-only` becomes `READ_ONLY`. */
export function catalogueKey(value: string): string {
  return value.toUpperCase().replaceAll('-', '_');
}

/** A path without its last slash; `/admin` and `/admin/` are one place. */
export function folderOf(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

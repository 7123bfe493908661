/**
 * The paths under which the source map of a script may have been uploaded, the best first: its path without
 * origin, query and fragment, then without its first folders, since builds are uploaded from a folder that is
 * not the root where they run.
 */
export function pathsOfScript(file: string): string[] {
  const path = pathOf(file);
  if (path === null) return [];
  const parts = path.split('/').slice(1);
  return parts.map((_, index) => `/${parts.slice(index).join('/')}`).slice(0, 12);
}

function pathOf(file: string): string | null {
  if (file === '' || file.startsWith('node:') || file.includes('<')) return null;
  // `app:///` is what SDKs put in place of the folder of an installed application.
  const path = URL.canParse(file) ? new URL(file).pathname : `/${file.replace(/^\.?\/+/, '')}`;
  const plain = path.replaceAll('\\', '/').replace(/[?#].*$/s, '');
  return /\.[cm]?jsx?$/.test(plain) ? plain : null;
}

/** A debug id as it is compared: 32 hexadecimal digits in lower case. */
export function normalDebugId(debugId: string): string {
  return debugId.toLowerCase().replaceAll('-', '');
}

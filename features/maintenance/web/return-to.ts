import { maintenancePath } from '#features/maintenance/contract/maintenance.ts';
import { base } from '#web/platform/base.ts';

// Browsers drop these characters when they parse an address: `/\t/host` is `//host`, another host (WHATWG URL, 4.1).
const dropped = /[\t\n\r]/;

/**
 * Where a maintenance page leads once maintenance is over: to the address in its query, with the fragment that the
 * browser kept on the redirect here; or to its own address, where it replaces an application's page.
 */
export function returnAddressOf({
  pathname,
  search,
  hash,
  href,
}: Pick<Location, 'pathname' | 'search' | 'hash' | 'href'>): string {
  if (!standsAlone({ pathname })) return href;
  const wanted = returnTo(search);
  return wanted.includes('#') ? wanted : wanted + hash;
}

/** Whether the maintenance page is at its own address. */
export function standsAlone({ pathname }: Pick<Location, 'pathname'>): boolean {
  return pathname === base + maintenancePath;
}

/**
 * Where to go when maintenance is over: the path of this origin in the query's `from`, or the home screen where
 * `from` is anything else or the maintenance page itself (MAINT-3).
 *
 * @param query as in `location.search`
 */
export function returnTo(query: string): string {
  const home = `${base}/`;
  const wanted = new URLSearchParams(query).get('from') ?? home;
  const ownPath = /^\/(?![/\\])/.test(wanted) && !dropped.test(wanted);
  return ownPath && wanted.split(/[?#]/, 1)[0] !== base + maintenancePath ? wanted : home;
}

import { base } from '#web/platform/base.ts';

let usual: { href: string; type: string } | null = null;

/**
 * Shows in the browser's tab that maintenance limits what this person can do: an icon without the mark of Portico,
 * which does not stand for an installation with its own.
 */
export function markTabIcon(marked: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon === null || marked === (usual !== null)) return;
  const next = marked ? { href: `${base}/favicon-maintenance.svg`, type: 'image/svg+xml' } : usual;
  usual = marked ? { href: icon.href, type: icon.type } : null;
  Object.assign(icon, next);
}

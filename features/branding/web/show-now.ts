import { accentCss, accentPalette } from '#features/branding/contract/accent.ts';
import { contactLink } from '#features/branding/contract/contact-link.ts';
import { ownName, type Branding } from '#features/branding/contract/branding.ts';
import { showBranding } from '#web/platform/branding.ts';
import { base } from '#web/platform/base.ts';

/**
 * Applies name, mark, icon and colours to this page without a reload, as the server does for the next one.
 */
export function showNow({ name, accent, shownMark: mark, picture, contact, statusUrl }: Branding): void {
  showBranding({
    product: name ?? ownName,
    mark: mark?.url ?? null,
    panel: picture !== null ? { picture: picture.url } : mark === null ? 'drawing' : 'accent',
    contact: contact === null ? null : { text: contact, href: contactLink(contact) },
    statusUrl,
  });
  document.getElementById('branding')?.remove();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(accent === null ? '' : accentCss(accentPalette(accent)));
  document.adoptedStyleSheets = [sheet];
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon === null) return;
  icon.type = mark?.contentType ?? 'image/svg+xml';
  icon.href = mark?.url ?? `${base}/favicon.svg`;
}

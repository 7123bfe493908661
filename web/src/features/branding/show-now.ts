import { accentCss, accentPalette } from '@portico/contract/rules/accent';
import { contactLink } from '@portico/contract/rules/contact-link';
import { ownName, type Branding } from '@portico/contract/branding';
import { showBranding } from '../../platform/branding.ts';
import { base } from '../../platform/base.ts';

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

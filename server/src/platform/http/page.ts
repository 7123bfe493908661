import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Boot } from '#contract/boot.ts';

export type Language = Boot['language'];

/** What differs between installations in what pages may load. */
export type PageOptions = {
  /** Folder of the built web. */
  webDir: string;
  /** The path below which the installation is: empty, or such as `/portico`. */
  basePath?: string;
  /** Further hosts that the page may call: flag host, develop geoserver. */
  connectTo: string[];
  /** Reads the built files again for each page, for `npm run dev`. */
  reload: boolean;
  /** The installation's look; returns the same object until the look changes. Left out: Portico's own look. */
  look?: () => PageLook;
};

/** Name, mark and colours, as pages have them from their first paint on. */
export type PageLook = {
  product: string;
  /** Null: the mark that is drawn in the page. */
  mark: { url: string; contentType: string } | null;
  /** Follows the page's own style sheets; null: they are enough. */
  css: string | null;
} & Pick<Boot['branding'], 'panel' | 'contact' | 'statusUrl'>;

export type Pages = {
  /**
   * Renders a built page for this request: a nonce of its own, the boot block, the language, the slots.
   *
   * @param name `index`, `sign-in`, … as the web builds them
   * @param slots regions `<!--name-->…<!--/name-->`: a text is put in for `__NAME__` inside it, null removes
   *   the region
   */
  render(name: string, boot: Boot, options?: PageRendering): RenderedPage;
  /** Renders a page and sends it as the answer. */
  send(reply: FastifyReply, name: string, boot: Boot, options?: PageRendering): FastifyReply;
};

export type RenderedPage = { status: number; headers: Record<string, string>; html: string };

export type PageRendering = {
  status?: number;
  slots?: Record<string, string | null>;
  headers?: Record<string, string>;
};

const bootBlock = /(<script type="application\/json" id="boot"[^>]*>)[^<]*(<\/script>)/;

/** Pages are made per request: each carries its nonce (API-2) and what must not flash in (MAINT-2). */
export function createPages(options: PageOptions): Pages {
  const { look: currentLook = () => ownLook, basePath = '' } = options;
  const templates = new Map<string, { html: string; look: PageLook }>();

  /** A built page with the installation's look, made once for each change of the look. */
  function template(name: string): string {
    const look = currentLook();
    const known = options.reload ? undefined : templates.get(name);
    if (known?.look === look) return known.html;
    const built = readFileSync(join(options.webDir, `${name}.html`), 'utf8');
    const html = withLook(withBasePath(built, basePath), look);
    templates.set(name, { html, look });
    return html;
  }

  // The page's scripts read the base path from this attribute.
  const base = basePath === '' ? '' : ` data-portico-base="${basePath}"`;
  const policy = (nonce: string): string =>
    [
      "default-src 'none'",
      `script-src 'self' 'nonce-${nonce}'`,
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' blob: data:",
      "font-src 'self'",
      `connect-src ${["'self'", ...options.connectTo].join(' ')}`,
      "form-action 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; ');

  const pages: Pages = {
    render(name, boot, rendering = {}) {
      const nonce = randomBytes(18).toString('base64');
      // Filled in before the slots, so that a slot's text that contains `__NONCE__` stays as it is.
      let html = template(name).replaceAll('__NONCE__', nonce);
      for (const [slot, text] of Object.entries(rendering.slots ?? {})) html = fillSlot(html, slot, text);
      html = html
        .replace(/<html lang="[^"]*"/, `<html lang="${boot.language}"${base}`)
        .replace(bootBlock, (_whole, open: string, close: string) => `${open}${jsonForHtml(boot)}${close}`);
      return {
        status: rendering.status ?? 200,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': policy(nonce),
          'permissions-policy':
            'display-capture=(self), camera=(self), geolocation=(), microphone=(), payment=(), usb=()',
          // The boot block is true for this moment only.
          'cache-control': 'no-store',
          vary: 'accept-language',
          ...rendering.headers,
        },
        html,
      };
    },
    send(reply, name, boot, rendering) {
      const { status, headers, html } = pages.render(name, boot, rendering);
      return reply.code(status).headers(headers).send(html);
    },
  };
  return pages;
}

/** The build knows no base path: what its pages load and link to is below the root. */
function withBasePath(html: string, basePath: string): string {
  return html.replaceAll(/( (?:href|src)=")(?=\/(?!\/))/g, (attribute) => `${attribute}${basePath}`);
}

const ownLook: PageLook = {
  product: 'Portico',
  mark: null,
  css: null,
  panel: 'drawing',
  contact: null,
  statusUrl: null,
};
const markRegion = /<!--mark-->([\s\S]*?)<!--\/mark-->/g;

function withLook(html: string, { product, mark, css, contact, statusUrl }: PageLook): string {
  // `written` escapes the name, since each request fills in placeholders, which the name may contain.
  const named = withHelp(html, contact, statusUrl).replaceAll('__PRODUCT__', () => written(product));
  const marked = named
    .replace(markRegion, (_whole, drawn: string) => (mark === null ? drawn : markImage(drawn, mark.url)))
    .replace(/<link rel="icon"[^>]*>/, (own) =>
      mark === null ? own : `<link rel="icon" type="${mark.contentType}" href="${mark.url}" />`,
    );
  return css === null
    ? marked
    : marked.replace('</head>', () => `<style id="branding" nonce="__NONCE__">${css}</style></head>`);
}

/** Fills in the contact and the link to the status page, below the text of a page that is closed. */
function withHelp(html: string, contact: PageLook['contact'], statusUrl: string | null): string {
  return html
    .replaceAll(/<!--contact-->([\s\S]*?)<!--\/contact-->/g, (_whole, link: string) => {
      if (contact === null) return '';
      const { text, href } = contact;
      return (href === null ? link.replace(/<a [^>]*>__CONTACT__<\/a>/, '__CONTACT__') : link)
        .replaceAll('__CONTACT_HREF__', () => written(href ?? ''))
        .replaceAll('__CONTACT__', () => written(text));
    })
    .replaceAll(/<!--status-page-->([\s\S]*?)<!--\/status-page-->/g, (_whole, link: string) =>
      statusUrl === null ? '' : link.replaceAll('__STATUS_URL__', () => written(statusUrl)),
    );
}

/** Escapes a text for the page, also where it looks like a placeholder that is filled in for each request. */
function written(text: string): string {
  return escapeHtml(text).replaceAll('_', '&#95;');
}

/** The mark as an image, in the place and the size of the drawn mark. */
function markImage(drawn: string, url: string): string {
  const size = /\bwidth="(\d+)"/.exec(drawn)?.[1] ?? '24';
  return `<img class="mark" src="${url}" alt="" width="${size}" height="${size}" />`;
}

function fillSlot(html: string, slot: string, text: string | null): string {
  const region = new RegExp(`<!--${slot}-->([\\s\\S]*?)<!--/${slot}-->`, 'g');
  const placeholder = `__${slot.toUpperCase().replaceAll('-', '_')}__`;
  return html.replace(region, (_whole, inner: string) =>
    text === null ? '' : inner.replaceAll(placeholder, () => escapeHtml(text)),
  );
}

/** Text for HTML content and attribute values. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

// `</script>` and `<!--` inside a JSON text would end or change the block.
function jsonForHtml(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

/** Whether a browser asks for a page to show; false for a script or a program that asks for data. */
export function asksForPage({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers.accept?.includes('text/html') === true || headers['sec-fetch-mode'] === 'navigate';
}

/** The best of our languages for an `Accept-Language` (RFC 9110 12.5.4); English where none fits. */
export function languageOf(request: Pick<FastifyRequest, 'headers'>): Language {
  const wanted = (request.headers['accept-language'] ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters
        .map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1])
        .find((q) => q !== undefined);
      return { language: tag.split('-')[0]?.trim(), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  for (const { language } of wanted) {
    if (language === 'en' || language === 'de' || language === 'fr') return language;
  }
  return 'en';
}

/**
 * Why something of the map server could not be shown. `refused`: without the right, or signed out; `server`:
 * the map server sent an error, with its words in `detail`; `none`: no answer; `slow`: no answer in time.
 */
export type MapProblemKind = 'refused' | 'missing' | 'server' | 'slow' | 'none';

export class MapProblem extends Error {
  override readonly name = 'MapProblem';
  readonly kind: MapProblemKind;
  /** What the server said, shortened; empty where it said nothing that a person can read. */
  readonly detail: string;

  constructor(kind: MapProblemKind, detail = '', options?: ErrorOptions) {
    super(`The map server: ${kind} ${detail}`.trim(), options);
    this.kind = kind;
    this.detail = detail.slice(0, 300);
  }
}

/** The text of an OGC exception report, which servers also send with status 200; null for any other text. */
export function exceptionIn(text: string): string | null {
  if (!/<(?:\w+:)?(?:ServiceException|Exception)(?:Report)?[\s>]/.test(text)) return null;
  const found =
    /<(?:\w+:)?(?:ServiceException|ExceptionText)(?:\s[^>]*)?>([\s\S]*?)<\/(?:\w+:)?(?:ServiceException|ExceptionText)>/.exec(
      text,
    );
  return plain(found?.[1] ?? '');
}

function plain(xml: string): string {
  const named: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return xml
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, '$1')
    .replace(/&(lt|gt|quot|apos|amp);/g, (whole, name: string) => named[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim();
}

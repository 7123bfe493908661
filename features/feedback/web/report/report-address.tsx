import { Icon } from '#web/ui/icon.tsx';
import './report.css';

/** The page that a report is about: a link where it can be one, else the text that was sent. */
export function ReportAddress({ url }: { url: string }) {
  const href = webAddress(url);
  if (href === null) return <span className="report-text breaks">{url}</span>;
  return (
    <a className="report-text breaks" href={href} target="_blank" rel="noreferrer">
      {url} <Icon name="external" size={12} />
    </a>
  );
}

/**
 * The address as a link may have it, or null: only `http` and `https`, since the reporter wrote it and
 * `javascript:` in a link runs with the rights of the person who follows it.
 */
export function webAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}

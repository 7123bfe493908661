import { Icon } from '#web/ui/icon.tsx';
import { webAddress } from './web-address.ts';
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

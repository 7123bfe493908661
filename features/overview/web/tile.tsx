import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

type TileProps = {
  title: string;
  /** Where there is more of it. */
  to?: string;
  value: ReactNode;
  text: ReactNode;
  children: ReactNode;
};

/** One figure with its name, a line about it and a picture. */
export function Tile({ title, to, value, text, children }: TileProps) {
  return (
    <section className="overview-tile">
      <h2>{to === undefined ? title : <Link to={to}>{title}</Link>}</h2>
      <p className="overview-value">{value}</p>
      <p className="overview-text">{text}</p>
      <div className="overview-picture">{children}</div>
    </section>
  );
}

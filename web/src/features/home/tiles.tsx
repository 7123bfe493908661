import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../ui/icon.tsx';

/** A screen of Portico that the person may open. */
export type Destination = { path: string; title: string; description: string | null; icon: IconName };

type TilesProps = {
  destinations: readonly Destination[];
  /** Those of the applications, which are downloaded after the rest. */
  apps: ReactNode;
};

/** Portico's screens, then the applications, each as a tile. */
export function Tiles({ destinations, apps }: TilesProps) {
  return (
    <ul className="home-tiles">
      {destinations.map(({ path, title, description, icon }) => (
        <li key={path}>
          <Link to={path} className="home-tile">
            <span className="home-icon">
              <Icon name={icon} size={20} />
            </span>
            <TileWords title={title} text={description} />
          </Link>
        </li>
      ))}
      {apps}
    </ul>
  );
}

/** The words of a tile. */
export function TileWords({ title, text }: { title: string; text: string | null }) {
  return (
    <span className="home-words" dir="auto">
      <strong>{title}</strong>
      {text === null ? null : <small>{text}</small>}
    </span>
  );
}

import type { HomeApp } from '@portico/contract/home';
import { Link } from '@tanstack/react-router';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { AppTiles } from './app-tiles.tsx';
import { TileWords } from './tile-words.tsx';

/** A screen of Portico that the person may open. */
export type Destination = { path: string; title: string; description: string | null; icon: IconName };

type TilesProps = {
  destinations: readonly Destination[];
  apps: readonly HomeApp[];
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
      <AppTiles apps={apps} />
    </ul>
  );
}

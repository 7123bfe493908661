import type { HomeApp } from '#features/home/contract/home.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Screen } from '#web/feature.ts';
import { Icon } from '#web/ui/icon.tsx';
import { AppTiles } from './app-tiles.tsx';
import { TileWords } from './tile-words.tsx';

type TilesProps = {
  /** Those of Portico that the person may open. */
  screens: readonly Screen[];
  apps: readonly HomeApp[];
};

/** Portico's screens, then the applications, each as a tile. */
export function Tiles({ screens, apps }: TilesProps) {
  const { t } = useTranslation();
  return (
    <ul className="home-tiles">
      {screens.map(({ path, title, description, icon = 'chevron-right' }) =>
        path === '/' ? null : (
          <li key={path}>
            <Link to={path} className="home-tile">
              <span className="home-icon">
                <Icon name={icon} size={20} />
              </span>
              <TileWords title={t(title)} text={description === undefined ? null : t(description)} />
            </Link>
          </li>
        ),
      )}
      <AppTiles apps={apps} />
    </ul>
  );
}

import type { HomeApp } from '@portico/contract/home';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { AppPicture } from './app-picture.tsx';
import { inLanguage } from './in-language.ts';

/** A screen of Portico that the person may open. */
export type Destination = { path: string; title: string; description: string | null; icon: IconName };

type TilesProps = { destinations: readonly Destination[]; apps: readonly HomeApp[] };

/** Portico's screens, then the applications, each as a tile. */
export function Tiles({ destinations, apps }: TilesProps) {
  const { i18n } = useTranslation();
  return (
    <ul className="home-tiles">
      {destinations.map(({ path, title, description, icon }) => (
        <li key={path}>
          <Link to={path} className="home-tile">
            <span className="home-icon">
              <Icon name={icon} size={20} />
            </span>
            <Words title={title} text={description} />
          </Link>
        </li>
      ))}
      {apps.map((app) => {
        const name = inLanguage(app.name, app.names, i18n.language);
        const text = inLanguage(app.description, app.descriptions, i18n.language) || hostOf(app.address);
        return (
          <li key={app.key}>
            {/* Where one application of several sends its people is nothing for another site to know. */}
            <a href={app.address} className="home-tile" rel={app.behindGateway ? undefined : 'noreferrer'}>
              <AppPicture name={name} of={app.key} picture={app.picture} />
              <Words title={name} text={text} />
            </a>
          </li>
        );
      })}
    </ul>
  );
}

function Words({ title, text }: { title: string; text: string | null }) {
  return (
    <span className="home-words" dir="auto">
      <strong>{title}</strong>
      {text === null ? null : <small>{text}</small>}
    </span>
  );
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

import type { HomeApp } from '#features/home/contract/home.ts';
import { useTranslation } from 'react-i18next';
import { AppPicture } from './app-picture.tsx';
import { inLanguage } from './in-language.ts';
import { TileWords } from './tile-words.tsx';

/** The applications that the person may open, each as a tile. */
export function AppTiles({ apps }: { apps: readonly HomeApp[] }) {
  const { i18n } = useTranslation();
  return (
    <>
      {apps.map((app) => {
        const name = inLanguage(app.name, app.names, i18n.language);
        const text = inLanguage(app.description, app.descriptions, i18n.language) || hostOf(app.address);
        return (
          <li key={app.key}>
            {/* Where one application of several sends its people is nothing for another site to know. */}
            <a href={app.address} className="home-tile" rel={app.behindGateway ? undefined : 'noreferrer'}>
              <AppPicture name={name} of={app.key} picture={app.picture} />
              <TileWords title={name} text={text} />
            </a>
          </li>
        );
      })}
    </>
  );
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

import './app-picture.css';
import { Face } from '#web/ui/face.tsx';
import type { TextsByLanguage } from '#features/home/contract/home.ts';

type AppPictureProps = {
  name: string;
  /** The text that decides the hue where there is no picture. */
  of: string;
  picture: string | null;
};

/** The picture of an application, or its first letter. The name stands next to it. */
export function AppPicture({ name, of, picture }: AppPictureProps) {
  const [letter = ''] = name;
  return (
    <span className="app-picture">
      {picture === null ? (
        <Face letters={letter.toUpperCase()} of={of} />
      ) : (
        <img src={picture} alt="" width={40} height={40} />
      )}
    </span>
  );
}

type PartOfDay = 'MORNING' | 'AFTERNOON' | 'EVENING' | 'NIGHT';

/** @param hour of the day in the person's zone, 0 to 23 */
export function partOfDay(hour: number): PartOfDay {
  if (hour >= 5 && hour < 12) return 'MORNING';
  if (hour >= 12 && hour < 18) return 'AFTERNOON';
  if (hour >= 18 && hour < 23) return 'EVENING';
  return 'NIGHT';
}

/** The text in a language, or the plain one where that language has none. */
export function inLanguage(plain: string, texts: TextsByLanguage, language: string): string {
  const own = language === 'en' || language === 'de' || language === 'fr' ? texts[language] : '';
  return own === '' ? plain : own;
}

import { Face } from '#web/ui/face.tsx';
import './app-picture.css';

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

import { useState } from 'react';
import { type ChosenPicture, createPictureReader } from './chosen-picture.ts';

/**
 * Choosing and removing the picture of one field.
 *
 * @param picture null: there is none to remove
 * @param prepare as of `createPictureReader`; only that of the first render counts
 */
export function useChosenPicture(
  picture: unknown,
  onPicture: (picture: ChosenPicture | null) => void,
  prepare?: (file: Blob) => Promise<Blob>,
) {
  const [reader] = useState(() => createPictureReader(prepare));
  return {
    onFile: (file: Blob) => reader.read(file, onPicture),
    onRemove:
      picture === null
        ? undefined
        : () => {
            reader.cancel();
            onPicture(null);
          },
  };
}

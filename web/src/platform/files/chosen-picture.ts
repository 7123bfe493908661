import { useState } from 'react';

/** A picture that was chosen from a file, to be sent when its form is saved. */
export type ChosenPicture = {
  /** In base64. */
  data: string;
  /** A data URL, to show it on this page. */
  url: string;
};

/**
 * Reads the files that are chosen in one field. The latest choice or removal counts, even if an earlier file
 * takes longer to read.
 *
 * @param prepare converts a file before it is read, such as to a smaller picture
 */
export function createPictureReader(
  prepare: (file: Blob) => Promise<Blob> = (file) => Promise.resolve(file),
) {
  let chosen = 0;
  return {
    /**
     * Reads the file and calls `onPicture`. Rejects if the file cannot be read, such as a deleted one; does
     * neither if another file was chosen since.
     */
    async read(file: Blob, onPicture: (picture: ChosenPicture) => void): Promise<void> {
      chosen += 1;
      const own = chosen;
      try {
        const picture = await choosePicture(await prepare(file));
        if (own === chosen) onPicture(picture);
      } catch (error) {
        if (own === chosen) throw error;
      }
    },
    /** Called when the picture is removed: a file that is still being read is ignored. */
    cancel(): void {
      chosen += 1;
    },
  };
}

async function choosePicture(file: Blob): Promise<ChosenPicture> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 32_768)
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  const data = btoa(text);
  return { data, url: `data:${file.type};base64,${data}` };
}

/**
 * Handlers that choose and remove the picture of one field.
 *
 * @param picture the present picture; null: there is none to remove
 * @param prepare as for `createPictureReader`; only the value of the first render counts
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

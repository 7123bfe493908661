/** A picture that was chosen from a file and is sent when its form is saved. */
export type ChosenPicture = {
  /** In base64. */
  data: string;
  /** What this page shows it from. */
  url: string;
};

/**
 * Reads the files that are chosen in one field. What is chosen or removed last counts, also where an earlier file takes
 * longer to read.
 *
 * @param prepare what is read of a file, such as a smaller picture
 */
export function createPictureReader(
  prepare: (file: Blob) => Promise<Blob> = (file) => Promise.resolve(file),
) {
  let chosen = 0;
  return {
    async read(file: Blob, onPicture: (picture: ChosenPicture) => void): Promise<void> {
      chosen += 1;
      const own = chosen;
      const picture = await choosePicture(await prepare(file));
      if (own === chosen) onPicture(picture);
    },
    /** For a picture that is removed while another is read. */
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

/** A picture that was chosen from a file and is sent when its form is saved. */
export type ChosenPicture = {
  /** In base64. */
  data: string;
  /** What this page shows it from. */
  url: string;
};

/** Reads a chosen file. */
export async function choosePicture(file: Blob): Promise<ChosenPicture> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 32_768)
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  const data = btoa(text);
  return { data, url: `data:${file.type};base64,${data}` };
}

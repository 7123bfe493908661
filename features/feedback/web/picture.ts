import type { Ref } from 'react';

/** A picture of a report: a PNG, as it is sent. */
export type Picture = {
  readonly blob: Blob;
  readonly filename: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** The page on which the picture was taken or added; undefined if an earlier release stored the picture. */
  readonly address?: string | undefined;
};

/** What the report dialog calls of the screenshot part. */
export type ScreenshotHandle = {
  /** Applies a crop that was not confirmed (BUG-3); the picture to send, or null where there is none. */
  settle(): Promise<Picture | null>;
};

/** Props of the screenshot part, which takes and edits a picture and is downloaded when it is first used. */
export type ScreenshotProps = {
  /**
   * The picture of the draft. If it is not the last one passed to `onPicture`, it comes from a stored draft
   * or another tab.
   */
  picture: Picture | null;
  /** Called with a new or changed picture, or null; first as soon as a picture is captured, uncropped. */
  onPicture(picture: Picture | null): void;
  /** The address of the page that is shown. */
  address(): string;
  /** Hides the dialog for a capture; returns a function that shows it again as it was, with its focus. */
  hideDialog(): () => void;
  /** Called with true when a capture or change of the picture begins, with false when sending is allowed again. */
  onBusy(busy: boolean): void;
  handle: Ref<ScreenshotHandle>;
};

// More arguments at once would overflow the stack of some browsers.
const chunk = 0x8000;

/** The bytes in base64 (RFC 4648, 4), padded. */
export async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let binary = '';
  for (let place = 0; place < bytes.length; place += chunk) {
    binary += String.fromCharCode(...bytes.subarray(place, place + chunk));
  }
  return btoa(binary);
}

import type { Ref } from 'react';

/** A picture that goes with a report: a png, as it is sent. */
export type Picture = {
  readonly blob: Blob;
  readonly filename: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
};

/** What the report dialog asks of the part that takes and edits a picture. */
export type ScreenshotHandle = {
  /** Applies a crop that was not confirmed (BUG-3); the picture to send, or null where there is none. */
  settle(): Promise<Picture | null>;
};

/** Between the report dialog and the part that takes and edits a picture, which is downloaded when it is first used. */
export type ScreenshotProps<Labels> = {
  labels: Labels;
  /** The picture of the draft. If it is not the last one passed to `onPicture`, it comes from a stored draft or another tab. */
  picture: Picture | null;
  /** Called with a picture, another one, or null; the first time as soon as one is captured, uncropped. */
  onPicture(picture: Picture | null): void;
  /** Hides the dialog for a capture; gives back how to show it again as it was, with its focus. */
  hideDialog(): () => void;
  /** A capture or a change of the picture is under way: nothing can be sent until it is over. */
  onBusy(busy: boolean): void;
  handle: Ref<ScreenshotHandle>;
};

import { type Base, toBase } from './read-picture.ts';

/** `CANCELLED`: the person closed the browser's prompt, which is no error. */
export type NoCapture = 'CANCELLED' | 'REFUSED' | 'FAILED' | 'TIMED_OUT';

/** Milliseconds from the permission to the first frame; a tab that does not change may send none. */
const firstFrameTimeout = 3000;
/** Milliseconds within which no person answers a prompt: such a refusal is the browser's own. */
const fastestAnswer = 250;
/** Milliseconds to wait for a frame to be drawn; a hidden page draws none. */
const frameTimeout = 250;

// Options of the Screen Capture draft that Chromium follows; other browsers ignore unknown ones.
type TabCapture = DisplayMediaStreamOptions & {
  preferCurrentTab: boolean;
  selfBrowserSurface: 'include' | 'exclude';
  surfaceSwitching: 'include' | 'exclude';
  monitorTypeSurfaces: 'include' | 'exclude';
};

/** Phones do not support it. */
export function canCaptureTab(): boolean {
  const devices: Partial<MediaDevices> | undefined = navigator.mediaDevices;
  return typeof devices?.getDisplayMedia === 'function';
}

/**
 * Takes a picture of the tab without what `hide` hides. Whatever happens, that is shown again afterwards
 * and the recording is stopped.
 *
 * @param hide hides what is not to be on the picture; returns how to show it again
 */
export async function captureTab(hide: () => () => void): Promise<Base | NoCapture> {
  const show = hide();
  let stream: MediaStream | null = null;
  let asked = 0;
  try {
    // What was hidden has to leave the screen first. Browsers accept the press of a button as consent for a
    // second.
    await nextFrame();
    await nextFrame();
    asked = performance.now();
    stream = await navigator.mediaDevices.getDisplayMedia(tabCapture());
    return await firstFrame(stream);
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return 'FAILED';
    const byItself = performance.now() - asked < fastestAnswer || /polic|system/i.test(error.message);
    return byItself ? 'REFUSED' : 'CANCELLED';
  } finally {
    for (const track of stream?.getTracks() ?? []) track.stop();
    show();
  }
}

function tabCapture(): TabCapture {
  return {
    video: {
      width: Math.round(innerWidth * devicePixelRatio),
      height: Math.round(innerHeight * devicePixelRatio),
    },
    audio: false,
    preferCurrentTab: true,
    selfBrowserSurface: 'include',
    surfaceSwitching: 'exclude',
    monitorTypeSurfaces: 'exclude',
  };
}

async function firstFrame(stream: MediaStream): Promise<Base | 'TIMED_OUT'> {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.srcObject = stream;
  try {
    const frame = new Promise<boolean>((resolve) => {
      setTimeout(() => resolve(false), firstFrameTimeout);
      // Requested before it plays: a page at rest sends one frame, which would be missed.
      const able: Partial<HTMLVideoElement> = video;
      if (able.requestVideoFrameCallback === undefined)
        video.addEventListener('loadeddata', () => resolve(true));
      else video.requestVideoFrameCallback(() => resolve(true));
    });
    // It plays while there are frames; whether they come is awaited below.
    video.play().catch(() => undefined);
    if (!(await frame) || video.videoWidth === 0) return 'TIMED_OUT';
    return toBase(video, { width: video.videoWidth, height: video.videoHeight });
  } finally {
    video.srcObject = null;
  }
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, frameTimeout);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

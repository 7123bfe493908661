import { type Base, toBase } from './read-picture.ts';

/** `CANCELLED`: the person closed the browser's question, which is no error. */
export type NoCapture = 'CANCELLED' | 'REFUSED' | 'FAILED' | 'TIMED_OUT';

/** Milliseconds from the permission to the first picture; a tab that shows nothing new may send none. */
const firstFrameTimeout = 3000;
/** Milliseconds within which no person answers a prompt: such a refusal is the browser's own. */
const fastestAnswer = 250;
/** Milliseconds after which a page that draws no frames, since it is not seen, is taken as drawn. */
const frameTimeout = 250;

// The draft of Screen Capture that Chromium follows; other browsers leave out what they do not know.
type TabCapture = DisplayMediaStreamOptions & {
  preferCurrentTab: boolean;
  selfBrowserSurface: 'include' | 'exclude';
  surfaceSwitching: 'include' | 'exclude';
  monitorTypeSurfaces: 'include' | 'exclude';
};

/** Phones have no such thing. */
export function canCaptureTab(): boolean {
  const devices: Partial<MediaDevices> | undefined = navigator.mediaDevices;
  return typeof devices?.getDisplayMedia === 'function';
}

/**
 * Takes a picture of the tab as it stands, without what `hide` hides: that is there again afterwards, whatever happens,
 * and nothing is recorded any more.
 *
 * @param hide hides what is not to be on the picture; gives back how to show it again
 */
export async function captureTab(hide: () => () => void): Promise<Base | NoCapture> {
  const show = hide();
  let stream: MediaStream | null = null;
  let asked = 0;
  try {
    // What was hidden has to leave the screen first. Browsers accept the press of a button as consent for a second.
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
      // Asked for before it plays: a page at rest sends one frame, and that would be missed.
      const able: Partial<HTMLVideoElement> = video;
      if (able.requestVideoFrameCallback === undefined)
        video.addEventListener('loadeddata', () => resolve(true));
      else video.requestVideoFrameCallback(() => resolve(true));
    });
    // It plays for as long as there are frames; whether there are is what is waited for.
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

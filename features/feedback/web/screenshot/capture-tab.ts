import { type Base, sized, toBase } from './read-picture.ts';

/** `CANCELLED`: the person closed the browser's prompt, which is no error. */
export type NoCapture = 'CANCELLED' | 'REFUSED' | 'FAILED' | 'TIMED_OUT';

/** Milliseconds from the permission to the first frame; a tab that does not change may send none. */
const firstFrameTimeout = 3000;
/**
 * Milliseconds after the first frame during which a frame of one colour is not used: before the first paint of
 * the captured tab the browser sends a black or an empty frame. Later the page may really look so.
 */
const plainFrameTimeout = 1500;
/** Milliseconds between two looks at the frame, where the browser does not report frames. */
const lookInterval = 50;
/** Milliseconds within which no person answers a prompt: an earlier refusal comes from the browser itself. */
const fastestAnswer = 250;
/** Milliseconds to wait for a frame to be drawn; a hidden page draws none. */
const frameTimeout = 250;

/** A picture of the tab; `isPlain`: it has one colour only, and may not show what the person sees. */
export type CapturedBase = Base & { readonly isPlain?: boolean };

// Options of the Screen Capture draft that Chromium follows; other browsers ignore unknown ones.
type TabCapture = DisplayMediaStreamOptions & {
  preferCurrentTab: boolean;
  selfBrowserSurface: 'include' | 'exclude';
  surfaceSwitching: 'include' | 'exclude';
  monitorTypeSurfaces: 'include' | 'exclude';
};

/** Whether the browser can capture a tab; phones cannot. */
export function canCaptureTab(): boolean {
  const devices: Partial<MediaDevices> | undefined = navigator.mediaDevices;
  return typeof devices?.getDisplayMedia === 'function';
}

/**
 * Takes a picture of the tab without what `hide` hides. Whatever happens, the hidden elements are shown again
 * afterwards and the recording is stopped.
 *
 * @param hide hides what must not be in the picture; returns a function that shows it again
 */
export async function captureTab(hide: () => () => void): Promise<CapturedBase | NoCapture> {
  const show = hide();
  let stream: MediaStream | null = null;
  let asked = 0;
  let stopPainting = () => {};
  try {
    // What was hidden has to leave the screen first. Browsers accept the press of a button as consent for a
    // second.
    await nextFrame();
    await nextFrame();
    asked = performance.now();
    stream = await navigator.mediaDevices.getDisplayMedia(tabCapture());
    stopPainting = keepPainting();
    return await seenFrame(stream);
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return 'FAILED';
    const byItself = performance.now() - asked < fastestAnswer || /polic|system/i.test(error.message);
    return byItself ? 'REFUSED' : 'CANCELLED';
  } finally {
    stopPainting();
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

/**
 * Changes one pixel of the page in each frame, by less than can be seen. A page that does not change sends only
 * one frame, which may be the black one.
 */
function keepPainting(): () => void {
  const dot = document.createElement('div');
  dot.style.cssText = 'position:fixed;right:0;bottom:0;width:1px;height:1px;pointer-events:none';
  document.body.append(dot);
  let frame = 0;
  let isOdd = false;
  const paint = () => {
    isOdd = !isOdd;
    dot.style.background = isOdd ? 'rgb(127 127 127 / 0.01)' : 'rgb(128 128 128 / 0.01)';
    frame = requestAnimationFrame(paint);
  };
  paint();
  return () => {
    cancelAnimationFrame(frame);
    dot.remove();
  };
}

/** The first frame that has more than one colour, or the last frame before `plainFrameTimeout`. */
async function seenFrame(stream: MediaStream): Promise<CapturedBase | 'TIMED_OUT'> {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.srcObject = stream;
  try {
    // Requested before the video plays: a page that does not change sends one frame, which would be missed.
    const first = frameOf(video, firstFrameTimeout);
    // The video plays while there are frames; the code below awaits them.
    video.play().catch(() => undefined);
    if (!(await first) || video.videoWidth === 0) return 'TIMED_OUT';
    const until = performance.now() + plainFrameTimeout;
    let isPlain = isOneColour(video);
    while (isPlain && performance.now() < until) {
      await frameOf(video, until - performance.now());
      isPlain = isOneColour(video);
    }
    const base = toBase(video, { width: video.videoWidth, height: video.videoHeight });
    return isPlain ? { ...base, isPlain } : base;
  } finally {
    video.srcObject = null;
  }
}

/** Whether another frame arrives within `timeout` milliseconds. */
function frameOf(video: HTMLVideoElement, timeout: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), timeout);
    const come = () => {
      clearTimeout(timer);
      resolve(true);
    };
    const able: Partial<HTMLVideoElement> = video;
    if (able.requestVideoFrameCallback !== undefined) video.requestVideoFrameCallback(come);
    else if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) setTimeout(come, lookInterval);
    else video.addEventListener('loadeddata', come, { once: true });
  });
}

/** Pixels that are examined per side; even the smallest text of a page leaves a trace in some of them. */
const lookedAt = 96;
/** Differences up to this value are ignored, since a video's colours are not exact. */
const tolerance = 6;

/** Whether all of a frame is transparent, or has one colour. */
function isOneColour(video: HTMLVideoElement): boolean {
  const context = sized(document.createElement('canvas'), { width: lookedAt, height: lookedAt });
  context.drawImage(video, 0, 0, lookedAt, lookedAt);
  const { data } = context.getImageData(0, 0, lookedAt, lookedAt);
  return data.every((value, index) => Math.abs(value - (data[index % 4] ?? 0)) <= tolerance);
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

import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { browserClock } from '../../../platform/time/clock.ts';
import { createStore } from '../../../platform/state/store.ts';
import { useStore } from '../../../platform/state/use-store.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import type { ScreenshotProps } from '../picture.ts';
import { captureTab } from './capture-tab.ts';
import { drawWork } from './draw-work.ts';
import { Editor } from './editor.tsx';
import type { History } from './history.ts';
import type { Incoming } from './incoming-files.ts';
import { useFocusInside } from './focus-inside.ts';
import type { ScreenshotLabels } from './labels.ts';
import type { Deed } from './desk-state.ts';
import { createPictureDesk, type PictureDesk } from './picture-desk.ts';
import { type Base, readPicture } from './read-picture.ts';
import { Sources } from './sources.tsx';
import type { Work } from './work.ts';
import './screenshot.css';

const histories = new WeakMap<Blob, History<Work<Base>>>();

/**
 * Takes a picture from the tab, a file, the clipboard or a drop, and lets the person crop it, frame and black
 * out parts (BUG-3).
 */
export function Screenshot(props: ScreenshotProps<ScreenshotLabels> & Incoming) {
  const { labels, picture, handle, incoming, held } = props;
  const root = useRef<HTMLDivElement>(null);
  const [given] = useState(() => createStore(props));
  const [deeds, setDeeds] = useState<readonly Deed[]>([]);
  const [desk] = useState(() =>
    createPictureDesk<Base>({
      read: readPicture,
      capture: () => captureTab(() => given.get().hideDialog()),
      draw: drawWork,
      onPicture: (reported) => given.get().onPicture(reported),
      onBusy: (busy) => given.get().onBusy(busy),
      onDeed: (deed) => setDeeds((before) => [...before, deed]),
      histories,
      clock: browserClock,
    }),
  );
  const state = useStore(desk.state);
  const { history, working, problem } = state;
  const deed = deeds.at(-1);

  useLayoutEffect(() => {
    given.set(props);
  });
  useImperativeHandle(handle, () => ({ settle: desk.settle }), [desk]);
  useEffect(() => void desk.open(picture), [desk, picture]);
  useEffect(() => {
    if (incoming !== null) void desk.takeFile(incoming);
  }, [desk, incoming]);
  useEffect(() => desk.flush, [desk]);
  useEffect(() => {
    // On a phone it is below the text fields.
    if (deed === 'ADDED') root.current?.scrollIntoView({ block: 'start' });
  }, [deed]);
  useFocusInside(root);

  useEffect(() => {
    const element = root.current;
    const onKey = (event: KeyboardEvent) => onDeskKey(event, desk);
    element?.addEventListener('keydown', onKey);
    return () => element?.removeEventListener('keydown', onKey);
  }, [desk]);

  return (
    <div ref={root} className="shot" role="group" aria-label={labels.screenshot}>
      {problem === null ? null : (
        <Notice severity={problem === 'ONE_COLOUR' ? 'medium' : 'high'} role="alert">
          {labels.problems[problem]}
        </Notice>
      )}
      {history === null && !(working && picture !== null) ? (
        <Sources
          labels={labels}
          working={working}
          held={held}
          onTab={() => void desk.takeTab()}
          onFile={(file) => void desk.takeFile(file)}
        />
      ) : history === null ? null : (
        <Editor labels={labels} desk={desk} state={state} history={history} />
      )}
      {working ? <Spinner label={labels.working} /> : null}
      <div className="visually-hidden" role="status">
        {/* A new element each time, so that the same text is announced again. */}
        <span key={deeds.length}>{deed === undefined ? '' : labels.deeds[deed]}</span>
      </div>
    </div>
  );
}

/** Handles keys wherever in this part the focus is. */
function onDeskKey(event: KeyboardEvent, desk: PictureDesk<Base>): void {
  const { history, tool } = desk.state.get();
  if (history === null) return;
  if (event.key === 'Escape' && tool === 'crop') {
    // It ends the crop and does not close the dialog.
    event.preventDefault();
    event.stopPropagation();
    desk.leaveCrop();
    return;
  }
  if (event.altKey || !(event.ctrlKey || event.metaKey)) return;
  const key = event.key.toLowerCase();
  if (key !== 'z' && !(key === 'y' && event.ctrlKey)) return;
  event.preventDefault();
  if (key === 'y' || event.shiftKey) desk.redo();
  else desk.undo();
}

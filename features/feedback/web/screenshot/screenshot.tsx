import { type RefObject, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { browserClock } from '#web/platform/time/clock.ts';
import { createStore } from '#web/platform/state/store.ts';
import { useStore } from '#web/platform/state/use-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import type { ScreenshotProps } from '../picture.ts';
import { canCaptureTab, captureTab } from './capture-tab.ts';
import { drawWork } from './draw-work.ts';
import { Editor } from './editor.tsx';
import type { History } from './history.ts';
import type { Incoming } from './incoming-files.ts';
import type { EditorAction } from './picture-edits.ts';
import { createPictureEditor, type PictureEditor } from './picture-editor.ts';
import { type Base, readPicture } from './read-picture.ts';
import { ToolIcon } from './steps.tsx';
import type { Work } from './work.ts';
import './screenshot.css';

const histories = new WeakMap<Blob, History<Work<Base>>>();

/**
 * Takes a picture from the tab, a file, the clipboard or a drop, and lets the person crop it, frame and black
 * out parts (BUG-3).
 */
export function Screenshot(props: ScreenshotProps & Incoming) {
  const { t } = useTranslation();
  const { picture, handle, incoming, held } = props;
  const root = useRef<HTMLDivElement>(null);
  const [given] = useState(() => createStore(props));
  const [actions, setActions] = useState<readonly EditorAction[]>([]);
  const [editor] = useState(() =>
    createPictureEditor<Base>({
      read: readPicture,
      capture: () => captureTab(() => given.get().hideDialog()),
      draw: drawWork,
      address: () => given.get().address(),
      onPicture: (reported) => given.get().onPicture(reported),
      onBusy: (busy) => given.get().onBusy(busy),
      onAction: (action) => setActions((before) => [...before, action]),
      histories,
      clock: browserClock,
    }),
  );
  const state = useStore(editor.state);
  const { history, working, problem } = state;
  const action = actions.at(-1);

  useLayoutEffect(() => {
    given.set(props);
  });
  useImperativeHandle(handle, () => ({ settle: editor.settle }), [editor]);
  useEffect(() => void editor.open(picture), [editor, picture]);
  useEffect(() => {
    if (incoming !== null) void editor.takeFile(incoming);
  }, [editor, incoming]);
  useEffect(() => editor.flush, [editor]);
  useEffect(() => {
    // On a phone the picture is below the text fields.
    if (action === 'ADDED') root.current?.scrollIntoView({ block: 'start' });
  }, [action]);
  useFocusInside(root);

  useEffect(() => {
    const element = root.current;
    const onKey = (event: KeyboardEvent) => onEditorKey(event, editor);
    element?.addEventListener('keydown', onKey);
    return () => element?.removeEventListener('keydown', onKey);
  }, [editor]);

  return (
    <div ref={root} className="shot" role="group" aria-label={t('FEEDBACK.SCREENSHOT.LABEL')}>
      {problem === null ? null : (
        <Notice severity={problem === 'ONE_COLOUR' ? 'medium' : 'high'} role="alert">
          {t(`FEEDBACK.SCREENSHOT.PROBLEMS.${problem}`)}
        </Notice>
      )}
      {history === null && !(working && picture !== null) ? (
        <Sources
          working={working}
          held={held}
          onTab={() => void editor.takeTab()}
          onFile={(file) => void editor.takeFile(file)}
        />
      ) : history === null ? null : (
        <Editor editor={editor} state={state} history={history} />
      )}
      {working ? <Spinner label={t('FEEDBACK.SCREENSHOT.WORKING')} /> : null}
      <div className="visually-hidden" role="status">
        {/* A new element each time, so that the same text is announced again. */}
        <span key={actions.length}>
          {action === undefined ? '' : t(`FEEDBACK.SCREENSHOT.DEEDS.${action}`)}
        </span>
      </div>
    </div>
  );
}

/** Handles keys wherever in this part the focus is. */
function onEditorKey(event: KeyboardEvent, editor: PictureEditor<Base>): void {
  const { history, tool } = editor.state.get();
  if (history === null) return;
  if (event.key === 'Escape' && tool === 'crop') {
    // Escape ends the crop and does not close the dialog.
    event.preventDefault();
    event.stopPropagation();
    editor.leaveCrop();
    return;
  }
  if (event.altKey || !(event.ctrlKey || event.metaKey)) return;
  const key = event.key.toLowerCase();
  if (key !== 'z' && !(key === 'y' && event.ctrlKey)) return;
  event.preventDefault();
  if (key === 'y' || event.shiftKey) editor.redo();
  else editor.undo();
}

/**
 * Keeps the focus inside of `root` when the focused element is removed, also the button that opened `root`:
 * the focus moves to the element with `data-next-focus`, else to the first button. Otherwise the page would get
 * the focus, and people who use the keyboard would lose their place.
 */
function useFocusInside(root: RefObject<HTMLElement | null>): void {
  const last = useRef<Element | null>(null);
  const isThere = useRef(false);

  // The listeners are added before the focus is moved for the first time.
  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return undefined;
    const note = ({ target }: FocusEvent) => {
      last.current = target instanceof Element ? target : null;
    };
    const forget = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node && !element.contains(relatedTarget)) last.current = null;
    };
    element.addEventListener('focusin', note);
    element.addEventListener('focusout', forget);
    return () => {
      element.removeEventListener('focusin', note);
      element.removeEventListener('focusout', forget);
    };
  }, [root]);

  useLayoutEffect(() => {
    const element = root.current;
    const isGone = !isThere.current || last.current?.isConnected === false;
    isThere.current = true;
    if (element === null || !isGone) return;
    last.current = null;
    const around = element.getRootNode();
    const holder = around instanceof Document || around instanceof ShadowRoot ? around.activeElement : null;
    // The person has moved the focus elsewhere by now.
    if (holder !== null && holder !== element.ownerDocument.body && !holder.contains(element)) return;
    const next =
      element.querySelector<HTMLElement>('[data-next-focus]') ?? element.querySelector<HTMLElement>('button');
    next?.focus();
  });
}

type SourcesProps = {
  /** A picture is being loaded or captured. */
  working: boolean;
  /** A file is being dragged over the page. */
  held: boolean;
  onTab: () => void;
  onFile: (file: File) => void;
};

/** Where a picture can come from. */
function Sources({ working, held, onTab, onFile }: SourcesProps) {
  const { t } = useTranslation();
  const file = useRef<HTMLInputElement>(null);
  const photo = useRef<HTMLInputElement>(null);

  function filesOf(capture: boolean) {
    return (
      <input
        ref={capture ? photo : file}
        type="file"
        accept="image/*"
        capture={capture ? 'environment' : undefined}
        hidden
        aria-label={capture ? t('FEEDBACK.SCREENSHOT.TAKE_PHOTO') : t('FEEDBACK.SCREENSHOT.CHOOSE_FILE')}
        onChange={(event) => {
          const [chosen] = event.currentTarget.files ?? [];
          // Choosing the same file again is a change again.
          event.currentTarget.value = '';
          if (chosen !== undefined) onFile(chosen);
        }}
      />
    );
  }

  return (
    <div className="shot-sources rounded stack centers text-center" data-held={held}>
      <div className="shot-sources-buttons row wrap">
        {canCaptureTab() ? (
          <Button aria-disabled={working} onClick={() => (working ? undefined : onTab())}>
            <ToolIcon name="tab" />
            {t('FEEDBACK.SCREENSHOT.CAPTURE_TAB')}
          </Button>
        ) : null}
        <Button aria-disabled={working} onClick={() => (working ? undefined : file.current?.click())}>
          <ToolIcon name="image" />
          {t('FEEDBACK.SCREENSHOT.CHOOSE_FILE')}
        </Button>
        {isPhone() ? (
          <Button aria-disabled={working} onClick={() => (working ? undefined : photo.current?.click())}>
            <ToolIcon name="camera" />
            {t('FEEDBACK.SCREENSHOT.TAKE_PHOTO')}
          </Button>
        ) : null}
      </div>
      <p className="shot-hint muted small shot-paste">
        {t('FEEDBACK.SCREENSHOT.PASTE_HINT', { keys: pasteKeys() })}
      </p>
      {filesOf(false)}
      {filesOf(true)}
    </div>
  );
}

/** Whether the only pointer is coarse: such a device has a camera, and no keys to paste with. */
function isPhone(): boolean {
  return matchMedia('(hover: none) and (pointer: coarse)').matches;
}

function pasteKeys(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘V' : 'Ctrl+V';
}

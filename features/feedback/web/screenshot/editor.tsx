import { useEffect, useRef, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { CropStage } from './crop-stage.tsx';
import type { EditorState, Tool } from './editor-state.ts';
import { createLayText } from './draw-marks.ts';
import {
  type Rect,
  type Size,
  canBeCropped,
  leastInPicture,
  smallestCrop,
  step,
  stepInPicture,
  whole,
} from './geometry.ts';
import type { History } from './history.ts';
import type { Nudge, ScreenshotLabels } from './labels.ts';
import { MarkBar } from './mark-bar.tsx';
import { measuresFor } from './mark-shapes.ts';
import { MarkStage } from './mark-stage.tsx';
import { displayedSize } from './picture-canvas.tsx';
import type { PictureEditor } from './picture-editor.ts';
import type { Base } from './read-picture.ts';
import { nudgeLength, nudges, Steps } from './steps.tsx';
import { ToolIcon, type ToolIconName } from './tool-icon.tsx';
import { type Work, isBlankText, regionOf, visibleMarks } from './work.ts';

type EditorProps = {
  labels: ScreenshotLabels;
  editor: PictureEditor<Base>;
  state: EditorState<Base>;
  history: History<Work<Base>>;
};

/** The picture, the tools, and what can be done with what is selected. */
export function Editor({ labels, editor, state, history }: EditorProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [lay] = useState(createLayText);
  const { tool, selected, crop } = state;
  const work = history.present;
  const region = regionOf(work);
  const marks = visibleMarks(work);
  const mark = marks.find(({ id }) => id === selected) ?? null;
  const drawing = tool === 'crop' ? null : tool;
  const croppable = canBeCropped(work.base);
  const displayed = () => displayedSize(canvas.current);
  const measures = () => measuresFor(displayed(), region, work.base);

  function nudgeCrop(nudge: Nudge): void {
    if (crop === null) return;
    const all = whole(work.base);
    const least = leastInPicture(smallestCrop, displayed(), all);
    const { grip, by } = nudges[nudge];
    const far = stepInPicture(by, nudgeLength, displayed(), all);
    editor.chooseCrop(step(crop, { grip, by: far }, all, least), least);
  }

  function focusMark(): void {
    // A text without words does not stay.
    if (mark !== null && isBlankText(mark)) editor.select(null);
    else root.current?.querySelector<HTMLElement>('.shot-mark[aria-pressed=true]')?.focus();
  }

  return (
    <div ref={root} className="shot-editor stack gap-2">
      <ToolRow labels={labels} editor={editor} history={history} tool={tool} crop={crop} />
      <div className="shot-stage">
        {crop === null ? (
          <MarkStage
            {...{ labels, canvas, editor, work, drawing, selected, measures, lay }}
            onWrite={() => field.current?.focus()}
          />
        ) : (
          <CropStage
            labels={labels}
            canvas={canvas}
            work={work}
            crop={crop}
            onCrop={(next, least) => editor.chooseCrop(next, least)}
          />
        )}
      </div>
      {crop !== null ? (
        <div className="shot-bar">
          <Steps labels={labels} onNudge={nudgeCrop} />
          <AnnouncedSize labels={labels} size={crop} />
          <span className="shot-bar-end">
            <Button small onClick={() => editor.leaveCrop()}>
              {labels.leaveCrop}
            </Button>
            <Button small tone="primary" onClick={() => editor.confirmCrop()}>
              {labels.confirm}
            </Button>
          </span>
        </div>
      ) : mark !== null || drawing !== null ? (
        <MarkBar
          {...{ labels, editor, mark, drawing, marks, region, displayed, measures, lay, field }}
          onWritten={focusMark}
        />
      ) : (
        <div className="shot-bar">
          <p className="shot-hint muted small">{croppable ? labels.hints.idle : labels.hints.small}</p>
        </div>
      )}
      <div className="shot-bar">
        <p className="shot-hint muted small">{hint()}</p>
        <Button small tone="danger" icon="trash" className="shot-bar-end" onClick={() => editor.remove()}>
          {labels.remove}
        </Button>
      </div>
    </div>
  );

  function hint(): string {
    if (crop !== null) return labels.hints.crop;
    if (mark !== null) return labels.hints.mark[mark.kind];
    return drawing === null ? '' : labels.hints.draw[drawing];
  }
}

/** Milliseconds of rest after which a size is announced: a moving handle would announce each of them. */
const restBeforeSpeaking = 400;

/** A size that is shown at once and announced at rest. */
function AnnouncedSize({ labels, size: { width, height } }: { labels: ScreenshotLabels; size: Size }) {
  const [spoken, setSpoken] = useState('');
  const words = labels.size({ width, height });
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(words), restBeforeSpeaking);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <>
      <span className="shot-size" aria-hidden="true">
        {words}
      </span>
      <span className="visually-hidden" role="status">
        {spoken}
      </span>
    </>
  );
}

const tools: readonly (readonly [tool: Tool, icon: ToolIconName])[] = [
  ['crop', 'crop'],
  ['highlight', 'highlight'],
  ['arrow', 'arrow'],
  ['text', 'text'],
  ['number', 'number'],
  ['redaction', 'redact'],
];

type ToolRowProps = {
  labels: ScreenshotLabels;
  editor: PictureEditor<Base>;
  history: History<Work<Base>>;
  tool: Tool | null;
  crop: Rect | null;
};

/** The tools, undo and redo. Where there is little room their names are spoken and shown on hover. */
function ToolRow({ labels, editor, history, tool, crop }: ToolRowProps) {
  const croppable = canBeCropped(history.present.base);
  return (
    <div className="shot-bar shot-tools" role="group" aria-label={labels.tools}>
      {tools.map(([name, icon]) => {
        const label = name === 'crop' ? labels.crop : labels.kinds[name];
        const isOff = name === 'crop' && !croppable;
        return (
          <Button
            key={name}
            small
            className="shot-tool"
            title={label}
            aria-pressed={tool === name}
            aria-disabled={isOff}
            data-next-focus={tool === name ? '' : undefined}
            onClick={() => {
              if (!isOff) editor.choose(name);
            }}
          >
            <ToolIcon name={icon} />
            <span className="shot-tool-name">{label}</span>
          </Button>
        );
      })}
      <span className="shot-bar-end">
        <Button
          small
          tone="quiet"
          className="shot-tool"
          title={labels.undo}
          aria-disabled={history.past.length === 0 && crop === null}
          onClick={() => editor.undo()}
        >
          <ToolIcon name="undo" />
          <span className="shot-tool-name">{labels.undo}</span>
        </Button>
        <Button
          small
          tone="quiet"
          className="shot-tool"
          title={labels.redo}
          aria-disabled={history.future.length === 0}
          onClick={() => editor.redo()}
        >
          <ToolIcon name="redo" />
          <span className="shot-tool-name">{labels.redo}</span>
        </Button>
      </span>
    </div>
  );
}

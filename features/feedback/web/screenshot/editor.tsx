import { useRef, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { CropStage } from './crop-stage.tsx';
import type { EditorState } from './editor-state.ts';
import { createLayText } from './draw-marks.ts';
import { canBeCropped, leastInPicture, smallestCrop, step, stepInPicture, whole } from './geometry.ts';
import type { History } from './history.ts';
import type { Nudge, ScreenshotLabels } from './labels.ts';
import { MarkBar } from './mark-bar.tsx';
import { measuresFor } from './mark-shapes.ts';
import { MarkStage } from './mark-stage.tsx';
import { displayedSize } from './picture-canvas.tsx';
import type { PictureEditor } from './picture-editor.ts';
import type { Base } from './read-picture.ts';
import { AnnouncedSize } from './announced-size.tsx';
import { nudgeLength, nudges, Steps } from './steps.tsx';
import { ToolRow } from './tool-row.tsx';
import { isBlankText, regionOf, visibleMarks, type Work } from './work.ts';

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
    <div ref={root} className="shot-editor">
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
          <p className="shot-hint">{croppable ? labels.hints.idle : labels.hints.small}</p>
        </div>
      )}
      <div className="shot-bar">
        <p className="shot-hint">{hint()}</p>
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

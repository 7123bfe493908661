import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { CropStage } from './crop-stage.tsx';
import {
  canBeCropped,
  leastInPicture,
  middle,
  type Rect,
  type Size,
  smallestCrop,
  smallestMark,
  step,
  type Step,
  stepInPicture,
  whole,
} from './geometry.ts';
import type { History } from './history.ts';
import type { Nudge, ScreenshotLabels } from './labels.ts';
import { MarkStage } from './mark-stage.tsx';
import { displayedSize } from './picture-canvas.tsx';
import type { DeskState, Tool } from './desk-state.ts';
import type { PictureDesk } from './picture-desk.ts';
import type { Base } from './read-picture.ts';
import { ToolIcon, type ToolIconName } from './tool-icon.tsx';
import { regionOf, visibleMarks, type Work } from './work.ts';

type EditorProps = {
  labels: ScreenshotLabels;
  desk: PictureDesk<Base>;
  state: DeskState<Base>;
  history: History<Work<Base>>;
};

const nudges: Readonly<Record<Nudge, Step>> = {
  left: { grip: null, by: { x: -1, y: 0 } },
  right: { grip: null, by: { x: 1, y: 0 } },
  up: { grip: null, by: { x: 0, y: -1 } },
  down: { grip: null, by: { x: 0, y: 1 } },
  narrower: { grip: { x: 1, y: 0 }, by: { x: -1, y: 0 } },
  wider: { grip: { x: 1, y: 0 }, by: { x: 1, y: 0 } },
  shorter: { grip: { x: 0, y: 1 }, by: { x: 0, y: -1 } },
  taller: { grip: { x: 0, y: 1 }, by: { x: 0, y: 1 } },
};
/** CSS pixels that one press moves. */
const nudgeLength = 10;

/** The picture, the tools, and undo and redo. */
export function Editor({ labels, desk, state, history }: EditorProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { tool, selected, crop } = state;
  const work = history.present;
  const region = regionOf(work);
  const mark = visibleMarks(work).find(({ id }) => id === selected) ?? null;
  const drawing = tool === 'crop' ? null : tool;

  function least(side: number, bounds: Rect): Size {
    return leastInPicture(side, displayedSize(canvas.current), bounds);
  }
  function nudged(rect: Rect, nudge: Nudge, bounds: Rect, smallest: Size): Rect {
    const { grip, by } = nudges[nudge];
    const far = stepInPicture(by, nudgeLength, displayedSize(canvas.current), bounds);
    return step(rect, { grip, by: far }, bounds, smallest);
  }
  function nudgeCrop(nudge: Nudge): void {
    if (crop === null) return;
    const all = whole(work.base);
    const smallest = least(smallestCrop, all);
    desk.chooseCrop(nudged(crop, nudge, all, smallest), smallest);
  }
  function nudgeMark(nudge: Nudge): void {
    if (mark === null) return;
    desk.placeMark(mark, nudged(mark, nudge, region, least(smallestMark, region)), `${nudge} button`);
  }

  const croppable = canBeCropped(work.base);
  const toolButton = (name: Tool, icon: ToolIconName, label: string) => (
    <Button
      small
      className="shot-tool"
      aria-pressed={tool === name}
      aria-disabled={name === 'crop' && !croppable}
      data-next-focus={tool === name ? '' : undefined}
      onClick={() => {
        if (name !== 'crop' || croppable) desk.choose(name);
      }}
    >
      <ToolIcon name={icon} />
      {label}
    </Button>
  );

  return (
    <div className="shot-editor">
      <div className="shot-bar" role="group" aria-label={labels.tools}>
        {toolButton('crop', 'crop', labels.crop)}
        {toolButton('highlight', 'highlight', labels.highlight)}
        {toolButton('redaction', 'redact', labels.redact)}
        <span className="shot-bar-end">
          <Button
            small
            tone="quiet"
            aria-disabled={history.past.length === 0 && crop === null}
            onClick={() => desk.undo()}
          >
            <ToolIcon name="undo" />
            {labels.undo}
          </Button>
          <Button small tone="quiet" aria-disabled={history.future.length === 0} onClick={() => desk.redo()}>
            <ToolIcon name="redo" />
            {labels.redo}
          </Button>
        </span>
      </div>
      <div className="shot-stage">
        {crop === null ? (
          <MarkStage
            labels={labels}
            canvas={canvas}
            desk={desk}
            work={work}
            drawing={drawing}
            selected={selected}
          />
        ) : (
          <CropStage
            labels={labels}
            canvas={canvas}
            work={work}
            crop={crop}
            onCrop={(next, least) => desk.chooseCrop(next, least)}
          />
        )}
      </div>
      {crop !== null ? (
        <div className="shot-bar">
          <Steps labels={labels} onNudge={nudgeCrop} />
          <SpokenSize labels={labels} size={crop} />
          <span className="shot-bar-end">
            <Button small onClick={() => desk.leaveCrop()}>
              {labels.leaveCrop}
            </Button>
            <Button small tone="primary" onClick={() => desk.confirmCrop()}>
              {labels.confirm}
            </Button>
          </span>
        </div>
      ) : mark !== null || drawing !== null ? (
        <div className="shot-bar">
          {mark === null ? null : <Steps labels={labels} onNudge={nudgeMark} />}
          <span className="shot-bar-end">
            {mark === null ? null : (
              <Button small onClick={() => desk.removeMark(mark.id)}>
                {labels.deleteMark}
              </Button>
            )}
            {drawing === null ? null : (
              <Button
                small
                onClick={() => desk.addMark(drawing, middle(region, least(smallestMark, region)))}
              >
                {labels.addBox}
              </Button>
            )}
          </span>
        </div>
      ) : (
        <div className="shot-bar">
          <p className="shot-hint">{croppable ? labels.hints.idle : labels.hints.small}</p>
        </div>
      )}
      <div className="shot-bar">
        <p className="shot-hint">{hint()}</p>
        <Button small tone="danger" icon="trash" className="shot-bar-end" onClick={() => desk.remove()}>
          {labels.remove}
        </Button>
      </div>
    </div>
  );

  function hint(): string {
    if (crop !== null) return labels.hints.crop;
    if (mark !== null) return labels.hints.mark;
    return drawing === null ? '' : labels.hints.draw;
  }
}

type StepsProps = { labels: ScreenshotLabels; onNudge: (nudge: Nudge) => void };

/** Moves and resizes without dragging and without keys (WCAG 2.2, 2.5.7). */
function Steps({ labels, onNudge }: StepsProps) {
  const names = ['left', 'right', 'up', 'down', 'narrower', 'wider', 'shorter', 'taller'] as const;
  return (
    <div className="shot-steps" role="group" aria-label={labels.steps}>
      {names.map((name) => (
        <Button
          key={name}
          small
          tone="quiet"
          className="button-icon"
          aria-label={labels.nudges[name]}
          title={labels.nudges[name]}
          onClick={() => onNudge(name)}
        >
          <ToolIcon name={name} />
        </Button>
      ))}
    </div>
  );
}

/** Milliseconds of rest after which a size is announced: a moving handle would announce each of them. */
const restBeforeSpeaking = 400;

/** A size that is shown at once and announced at rest. */
function SpokenSize({ labels, size: { width, height } }: { labels: ScreenshotLabels; size: Size }) {
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

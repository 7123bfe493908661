import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';
import { CropStage } from './crop-stage.tsx';
import type { EditorState, Tool } from './picture-edits.ts';
import { createLayText } from './draw-work.ts';
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
import { MarkBar } from './mark-bar.tsx';
import { measuresFor } from './mark-shapes.ts';
import { MarkStage } from './mark-stage.tsx';
import { displayedSize } from './picture-canvas.tsx';
import type { PictureEditor } from './picture-editor.ts';
import type { Base } from './read-picture.ts';
import { type Nudge, nudgeLength, nudges, Steps, ToolIcon, type ToolIconName } from './steps.tsx';
import { type Work, isBlankText, regionOf, visibleMarks } from './work.ts';

type EditorProps = {
  editor: PictureEditor<Base>;
  state: EditorState<Base>;
  history: History<Work<Base>>;
};

/** The picture, the tools, and the actions for the selected part or mark. */
export function Editor({ editor, state, history }: EditorProps) {
  const { t } = useTranslation();
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
    // Deselecting a text without words removes the text.
    if (mark !== null && isBlankText(mark)) editor.select(null);
    else root.current?.querySelector<HTMLElement>('.shot-mark[aria-pressed=true]')?.focus();
  }

  return (
    <div ref={root} className="shot-editor shrinks stack gap-2">
      <ToolRow editor={editor} history={history} tool={tool} crop={crop} />
      <div className="shot-stage grid centers sunk rounded">
        {crop === null ? (
          <MarkStage
            {...{ canvas, editor, work, drawing, selected, measures, lay }}
            onWrite={() => field.current?.focus()}
          />
        ) : (
          <CropStage
            canvas={canvas}
            work={work}
            crop={crop}
            onCrop={(next, least) => editor.chooseCrop(next, least)}
          />
        )}
      </div>
      {crop !== null ? (
        <div className="shot-bar">
          <Steps onNudge={nudgeCrop} />
          <AnnouncedSize size={crop} />
          <span className="shot-bar-end">
            <Button small onClick={() => editor.leaveCrop()}>
              {t('FEEDBACK.SCREENSHOT.LEAVE_CROP')}
            </Button>
            <Button small tone="primary" onClick={() => editor.confirmCrop()}>
              {t('FEEDBACK.SCREENSHOT.CONFIRM')}
            </Button>
          </span>
        </div>
      ) : mark !== null || drawing !== null ? (
        <MarkBar
          {...{ editor, mark, drawing, marks, region, displayed, measures, lay, field }}
          onWritten={focusMark}
        />
      ) : (
        <div className="shot-bar">
          <p className="shot-hint muted small">
            {croppable
              ? t('FEEDBACK.SCREENSHOT.HINTS.IDLE')
              : t('FEEDBACK.SCREENSHOT.HINTS.SMALL', { least: smallestCrop })}
          </p>
        </div>
      )}
      <div className="shot-bar">
        <p className="shot-hint muted small">{hint()}</p>
        <Button small tone="danger" icon="trash" className="shot-bar-end" onClick={() => editor.remove()}>
          {t('FEEDBACK.SCREENSHOT.REMOVE')}
        </Button>
      </div>
    </div>
  );

  function hint(): string {
    if (crop !== null) return t('FEEDBACK.SCREENSHOT.HINTS.CROP');
    if (mark !== null) return t(`FEEDBACK.SCREENSHOT.HINTS.MARK.${mark.kind.toUpperCase()}`);
    return drawing === null ? '' : t(`FEEDBACK.SCREENSHOT.HINTS.DRAW.${drawing.toUpperCase()}`);
  }
}

/** Milliseconds of rest after which a size is announced, so that a moving handle announces only the last. */
const restBeforeSpeaking = 400;

/** A size that is shown at once and announced at rest. */
function AnnouncedSize({ size: { width, height } }: { size: Size }) {
  const { t } = useTranslation();
  const [spoken, setSpoken] = useState('');
  const words = t('FEEDBACK.SCREENSHOT.SIZE', { width, height });
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
  editor: PictureEditor<Base>;
  history: History<Work<Base>>;
  tool: Tool | null;
  crop: Rect | null;
};

/** The tools, undo and redo. Where there is little room their names are spoken and shown on hover. */
function ToolRow({ editor, history, tool, crop }: ToolRowProps) {
  const { t } = useTranslation();
  const croppable = canBeCropped(history.present.base);
  return (
    <div className="shot-bar shot-tools" role="group" aria-label={t('FEEDBACK.SCREENSHOT.TOOLS')}>
      {tools.map(([name, icon]) => {
        const label =
          name === 'crop'
            ? t('FEEDBACK.SCREENSHOT.CROP')
            : t(`FEEDBACK.SCREENSHOT.KINDS.${name.toUpperCase()}`);
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
        {(['undo', 'redo'] as const).map((name) => {
          const label = t(`FEEDBACK.SCREENSHOT.${name.toUpperCase()}`);
          const isOff =
            name === 'undo' ? history.past.length === 0 && crop === null : history.future.length === 0;
          return (
            <Button
              key={name}
              small
              tone="quiet"
              className="shot-tool"
              title={label}
              aria-disabled={isOff}
              onClick={() => editor[name]()}
            >
              <ToolIcon name={name} />
              <span className="shot-tool-name">{label}</span>
            </Button>
          );
        })}
      </span>
    </div>
  );
}

import { Button } from '#web/ui/button.tsx';
import type { Tool } from './editor-state.ts';
import { canBeCropped, type Rect } from './geometry.ts';
import type { History } from './history.ts';
import type { ScreenshotLabels } from './labels.ts';
import type { PictureEditor } from './picture-editor.ts';
import type { Base } from './read-picture.ts';
import { ToolIcon, type ToolIconName } from './tool-icon.tsx';
import type { Work } from './work.ts';

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
export function ToolRow({ labels, editor, history, tool, crop }: ToolRowProps) {
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

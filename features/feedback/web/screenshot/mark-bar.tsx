import { type KeyboardEvent, type Ref, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { middle, type Rect, type Size, stepInPicture } from './geometry.ts';
import { addedShape, type LayText, type Measures, moved, resized, reworded } from './mark-shapes.ts';
import type { PictureEditor } from './picture-editor.ts';
import type { Base } from './read-picture.ts';
import { type Nudge, nudgeLength, nudges, Steps } from './steps.tsx';
import type { Mark, MarkKind } from './work.ts';

/** Characters of a text in the picture. */
const longestText = 200;

type MarkBarProps = {
  editor: PictureEditor<Base>;
  /** The selected mark. */
  mark: Mark | null;
  /** The tool. */
  drawing: MarkKind | null;
  marks: readonly Mark[];
  region: Rect;
  displayed: () => Size;
  measures: () => Measures;
  lay: LayText;
  field: Ref<HTMLInputElement>;
  /** Called when the words are typed: the mark itself then gets the focus. */
  onWritten: () => void;
};

/** The actions for the selected mark, and a button that adds a mark without a pointer. */
export function MarkBar(props: MarkBarProps) {
  const { t } = useTranslation();
  const { editor, mark, drawing, marks, region, displayed, measures, lay, field, onWritten } = props;

  function nudge(name: Nudge): void {
    if (mark === null) return;
    const { grip, by } = nudges[name];
    const far = stepInPicture(by, nudgeLength, displayed(), region);
    const stroke = `${name} button`;
    if (grip === null) editor.changeMark(moved(mark, far, region), stroke);
    else if (mark.kind === 'arrow') {
      const outwards = { x: far.x * mark.tip.x, y: far.y * mark.tip.y };
      editor.changeMark(resized(mark, mark.tip, outwards, region, measures(), lay), stroke);
    } else editor.changeMark(resized(mark, grip, far, region, measures(), lay), stroke);
  }

  return (
    <div className="shot-bar">
      {mark?.kind === 'text' ? (
        <TextField key={mark.id} {...{ editor, mark, region, lay, field, onWritten }} />
      ) : null}
      {mark === null ? null : <Steps onNudge={nudge} />}
      <span className="shot-bar-end">
        {mark === null ? null : (
          <Button small onClick={() => editor.removeMark(mark.id)}>
            {t('FEEDBACK.SCREENSHOT.DELETE_MARK')}
          </Button>
        )}
        {drawing === null ? null : (
          <Button
            small
            onClick={() => {
              const now = measures();
              editor.addMark(addedShape(drawing, middle(region, now.least), region, now, marks));
            }}
          >
            {t(`FEEDBACK.SCREENSHOT.ADD.${drawing.toUpperCase()}`)}
          </Button>
        )}
      </span>
    </div>
  );
}

type TextFieldProps = Pick<MarkBarProps, 'editor' | 'region' | 'lay' | 'onWritten'> & {
  mark: Mark & { kind: 'text' };
  field: Ref<HTMLInputElement>;
};

/** The field for the words of a text mark. For a new mark it gets the focus at once. */
function TextField({ editor, mark, region, lay, field, onWritten }: TextFieldProps) {
  const { t } = useTranslation();
  const isNew = useRef(mark.text === '');
  const frame = useRef<HTMLLabelElement>(null);
  useLayoutEffect(() => {
    if (isNew.current) frame.current?.querySelector('input')?.focus();
  }, []);

  function onKeyDown(event: KeyboardEvent): void {
    // In a field the browser handles undo and redo.
    if ((event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key)) event.stopPropagation();
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // Enter and Escape neither send the report nor close the dialog here.
    event.preventDefault();
    event.stopPropagation();
    onWritten();
  }

  return (
    <label ref={frame} className="shot-text grid gap-2">
      <span className="field-label">{t('FEEDBACK.SCREENSHOT.TEXT')}</span>
      <TextInput
        ref={field}
        dir="auto"
        placeholder={t('FEEDBACK.SCREENSHOT.TEXT')}
        autoComplete="off"
        enterKeyHint="done"
        maxLength={longestText}
        value={mark.text}
        onValue={(text) => editor.changeMark(reworded(mark, text, region, lay), 'text')}
        onKeyDown={onKeyDown}
      />
    </label>
  );
}

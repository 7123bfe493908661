import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import type { ControlProps } from './field.tsx';
import { Icon } from './icon.tsx';
import { TextArea } from './text-input.tsx';
import './json-input.css';

type JsonInputProps = Partial<ControlProps> & {
  value: string;
  onValue: (value: string) => void;
  rows?: number;
  formatLabel: string;
  copyLabel: string;
  /** Returns a text that says what is wrong and where; null if the JSON is valid. */
  mistakeIn: (text: string) => string | null;
  disabled?: boolean;
};

/** Milliseconds without a key before a mistake is marked, so that a bracket about to be closed is not marked. */
const pause = 700;

/**
 * Makes Enter keep the indentation of the line, one step deeper after an open bracket. Tab still moves to the next
 * control.
 */
function keepIndentation(event: KeyboardEvent<HTMLTextAreaElement>, onValue: (value: string) => void): void {
  if (event.key !== 'Enter' || event.metaKey || event.ctrlKey || event.nativeEvent.isComposing) return;
  const area = event.currentTarget;
  const before = area.value.slice(0, area.selectionStart);
  const indentation = /^[ \t]*/.exec(before.slice(before.lastIndexOf('\n') + 1))?.[0] ?? '';
  const deeper = /[[{]\s*$/.test(before) ? '  ' : '';
  event.preventDefault();
  area.setRangeText(`\n${indentation}${deeper}`, area.selectionStart, area.selectionEnd, 'end');
  onValue(area.value);
}

/** A field for JSON: monospaced, marks a mistake once typing pauses, and can format the text. */
export function JsonInput({
  value,
  onValue,
  rows = 8,
  formatLabel,
  copyLabel,
  mistakeIn,
  ...control
}: JsonInputProps) {
  const id = useId();
  const [settled, setSettled] = useState(value);
  const mistake = mistakeIn(value);
  const shown = mistake === null ? null : mistakeIn(settled);

  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause);
    return () => clearTimeout(timer);
  }, [value]);

  return (
    <div className="json stack gap-2">
      <TextArea
        {...control}
        aria-describedby={[control['aria-describedby'], id].filter((part) => part !== undefined).join(' ')}
        aria-invalid={shown !== null || control['aria-invalid'] === true ? true : undefined}
        value={value}
        onValue={onValue}
        rows={rows}
        spellCheck={false}
        autoCapitalize="none"
        autoCorrect="off"
        autoComplete="off"
        wrap="off"
        onKeyDown={(event) => keepIndentation(event, onValue)}
      />
      <div className="json-foot row gap-3 top between">
        <span id={id} role="status">
          {shown === null ? null : (
            <span className="json-mistake">
              <Icon name="alert" size={14} />
              {shown}
            </span>
          )}
        </span>
        <span className="row">
          <CopyButton bare text={value} label={copyLabel} />
          <Button
            small
            disabled={mistake !== null || control.disabled === true}
            onClick={() => {
              const parsed: unknown = JSON.parse(value);
              onValue(JSON.stringify(parsed, null, 2));
            }}
          >
            {formatLabel}
          </Button>
        </span>
      </div>
    </div>
  );
}

import { type ReactNode, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import './picture-field.css';

type PictureFieldProps = {
  label: string;
  hint: string;
  /** The current picture. */
  children: ReactNode;
  chooseLabel: string;
  removeLabel: string;
  tooBigLabel: string;
  unreadableLabel: string;
  /** Media types, as for `accept` of a file input. */
  accept: string;
  /** The most bytes that a file may have. */
  most: number;
  error: string | undefined;
  /** Called with the chosen file; rejects if the file cannot be read. */
  onFile: (file: File) => Promise<void>;
  /** Left out: there is nothing to remove. */
  onRemove?: (() => void) | undefined;
};

/** Chooses a picture from a file. */
export function PictureField(props: PictureFieldProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const { onRemove } = props;
  return (
    <Field label={props.label} hint={props.hint} error={problem ?? props.error}>
      {(control) => (
        <div className="picture-row row gap-3 wrap">
          <span className="picture-well grid accent rounded">{props.children}</span>
          <input
            {...control}
            required={false}
            ref={input}
            type="file"
            accept={props.accept}
            className="visually-hidden"
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? [];
              event.currentTarget.value = '';
              if (file === undefined) return;
              if (file.size > props.most) {
                setProblem(props.tooBigLabel);
                return;
              }
              setProblem(null);
              props.onFile(file).catch(() => setProblem(props.unreadableLabel));
            }}
          />
          <Button icon="image" onClick={() => input.current?.click()} tabIndex={-1} aria-hidden="true">
            {props.chooseLabel}
          </Button>
          {onRemove === undefined ? null : (
            <Button
              tone="quiet"
              icon="trash"
              onClick={() => {
                setProblem(null);
                onRemove();
              }}
            >
              {props.removeLabel}
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}

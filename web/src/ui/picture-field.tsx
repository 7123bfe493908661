import { type ReactNode, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import './picture-field.css';

type PictureFieldProps = {
  label: string;
  hint: string;
  /** What is shown of it now. */
  children: ReactNode;
  chooseLabel: string;
  removeLabel: string;
  tooBigLabel: string;
  /** Media types, as for `accept` of a file input. */
  accept: string;
  /** Bytes that a file may have. */
  most: number;
  error: string | undefined;
  onFile: (file: File) => void;
  /** Left out: there is nothing to remove. */
  onRemove?: (() => void) | undefined;
};

/** Chooses a picture from a file. */
export function PictureField(props: PictureFieldProps) {
  const [tooBig, setTooBig] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { onRemove } = props;
  return (
    <Field label={props.label} hint={props.hint} error={tooBig ? props.tooBigLabel : props.error}>
      {(control) => (
        <div className="picture-row">
          <span className="picture-well">{props.children}</span>
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
              setTooBig(file.size > props.most);
              if (file.size <= props.most) props.onFile(file);
            }}
          />
          <Button icon="image" onClick={() => input.current?.click()} tabIndex={-1} aria-hidden="true">
            {props.chooseLabel}
          </Button>
          {onRemove === undefined ? null : (
            <Button tone="quiet" icon="trash" onClick={onRemove}>
              {props.removeLabel}
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}

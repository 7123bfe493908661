import { type ComponentProps, type ReactNode, useId } from 'react';
import { Icon } from './icon.tsx';
import { PasswordInput, Select, type SelectProps, TextArea, TextInput } from './text-input.tsx';
import './field.css';

/** Connects a control to its label, hint and error; spread it on the control. */
export type ControlProps = {
  id: string;
  required: boolean;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
};

type FieldProps = {
  label: string;
  hint?: ReactNode;
  /** In words; also marks the control as invalid. */
  error?: string | null | undefined;
  required?: boolean | undefined;
  /** How a required field is marked, for example `(required)`. */
  requiredMark?: string | undefined;
  children: (control: ControlProps) => ReactNode;
};

/** A label, its control, its hint and its error. */
export function Field({ label, hint, error, required = false, requiredMark, children }: FieldProps) {
  const id = useId();
  const wrong = error !== undefined && error !== null && error !== '';
  const descriptions = [hint === undefined ? '' : `${id}-hint`, wrong ? `${id}-error` : ''].filter(
    (part) => part !== '',
  );
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
        {required && requiredMark !== undefined ? (
          <span className="field-required"> {requiredMark}</span>
        ) : null}
      </label>
      {hint === undefined ? null : (
        <span className="muted small" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {children({
        id,
        required,
        'aria-describedby': descriptions.length === 0 ? undefined : descriptions.join(' '),
        'aria-invalid': wrong ? true : undefined,
      })}
      {wrong ? (
        <span className="field-error" id={`${id}-error`} role="alert">
          <Icon name="alert" size={14} />
          <span>{error}</span>
        </span>
      ) : null}
    </div>
  );
}

type Words = Omit<FieldProps, 'children'>;

/** A field of one line of text. */
export function TextField({
  label,
  hint,
  error,
  required,
  requiredMark,
  ...input
}: Words & ComponentProps<typeof TextInput>) {
  return (
    <Field {...{ label, hint, error, required, requiredMark }}>
      {(control) => <TextInput {...control} {...input} />}
    </Field>
  );
}

/** A field of several lines of text. */
export function TextAreaField({
  label,
  hint,
  error,
  required,
  requiredMark,
  ...input
}: Words & ComponentProps<typeof TextArea>) {
  return (
    <Field {...{ label, hint, error, required, requiredMark }}>
      {(control) => <TextArea {...control} {...input} />}
    </Field>
  );
}

/** A field of a password or another secret. */
export function PasswordField({
  label,
  hint,
  error,
  required,
  requiredMark,
  ...input
}: Words & ComponentProps<typeof PasswordInput>) {
  return (
    <Field {...{ label, hint, error, required, requiredMark }}>
      {(control) => <PasswordInput {...control} {...input} />}
    </Field>
  );
}

/** A field that is a choice of a few. */
export function SelectField<Value extends string>({
  label,
  hint,
  error,
  required,
  requiredMark,
  ...input
}: Words & SelectProps<Value>) {
  return (
    <Field {...{ label, hint, error, required, requiredMark }}>
      {(control) => <Select {...control} {...input} />}
    </Field>
  );
}

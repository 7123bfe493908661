import { type ReactNode, useContext, useId } from 'react';
import { Icon } from './icon.tsx';
import { PasswordInput, Select, type SelectProps, TextArea, TextInput } from './text-input.tsx';
import { UsualWordsContext } from './usual-words.ts';
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
  /** The text of the error; also marks the control as invalid. */
  error?: string | null | undefined;
  required?: boolean | undefined;
  /** The mark of a required field, for a page that does not provide `UsualWords`. */
  requiredMark?: string | undefined;
  children: (control: ControlProps) => ReactNode;
};

/** A label, its control, its hint and its error. */
export function Field({ label, hint, error, required = false, requiredMark, children }: FieldProps) {
  const id = useId();
  const words = useContext(UsualWordsContext);
  const mark = requiredMark ?? words?.required;
  const wrong = error !== undefined && error !== null && error !== '';
  const descriptions = [hint === undefined ? '' : `${id}-hint`, wrong ? `${id}-error` : ''].filter(
    (part) => part !== '',
  );
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
        {required && mark !== undefined ? <span className="field-required"> {mark}</span> : null}
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
type WithField<Props> = (props: Words & Omit<Props, keyof Words | 'id'>) => ReactNode;

/** Combines a control with its field into one component. */
export function withField<Props extends object>(Control: (props: Props) => ReactNode): WithField<Props> {
  return function ControlWithField({ label, hint, error, required, requiredMark, ...input }) {
    return (
      <Field {...{ label, hint, error, required, requiredMark }}>
        {(control) => <Control {...control} {...(input as unknown as Props)} />}
      </Field>
    );
  };
}

/** A field of one line of text. */
export const TextField = withField(TextInput);

/** A field of several lines of text. */
export const TextAreaField = withField(TextArea);

/** A field of a password or another secret. */
export const PasswordField = withField(PasswordInput);

/** A field for a choice among a few options. */
export const SelectField = withField(Select) as <Value extends string>(
  props: Words & SelectProps<Value>,
) => ReactNode;

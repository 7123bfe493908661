import { type ReactNode, useId } from 'react';

type ChoiceProps = {
  legend: string;
  options: readonly { label: string; hint: ReactNode; checked: boolean; choose: () => void }[];
};

/** Radio buttons, each with an explanation. */
export function Choice({ legend, options }: ChoiceProps) {
  const name = useId();
  return (
    <fieldset className="choice">
      <legend>{legend}</legend>
      {options.map(({ label, hint, checked, choose }) => (
        <label key={label} className="check">
          <input type="radio" name={name} checked={checked} onChange={choose} />
          <span>{label}</span>
          <span className="check-hint">{hint}</span>
        </label>
      ))}
    </fieldset>
  );
}

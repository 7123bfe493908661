import { useId } from 'react';

type ChoiceProps<Value> = {
  legend: string;
  /** Shows the options side by side, like one switch; left out: below each other, each with an explanation. */
  segments?: boolean;
  /** The legend is for screen readers alone. */
  legendHidden?: boolean;
  options: readonly { value: Value; label: string; hint?: string }[];
  value: Value;
  onValue: (value: Value) => void;
};

/** Radio buttons. */
export function Choice<Value>(props: ChoiceProps<Value>) {
  const { legend, segments = false, legendHidden = segments, options, value, onValue } = props;
  const name = useId();
  return (
    <fieldset className={segments ? 'segments' : 'choice'}>
      <legend className={legendHidden ? 'visually-hidden' : undefined}>{legend}</legend>
      {options.map((option) => (
        <label key={option.label} className={segments ? 'segment' : 'check'}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onValue(option.value)}
          />
          <span>{option.label}</span>
          {option.hint === undefined ? null : <span className="check-hint muted small">{option.hint}</span>}
        </label>
      ))}
    </fieldset>
  );
}

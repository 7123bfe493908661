import './period-choice.css';

type PeriodChoiceProps<Period extends string> = {
  label: string;
  /** `short` is shown; `long` is the title for screen readers and hover. */
  periods: readonly { value: Period; short: string; long: string }[];
  value: Period;
  onValue: (period: Period) => void;
};

/** A choice of the period that a chart covers, as a row of buttons. */
export function PeriodChoice<Period extends string>(props: PeriodChoiceProps<Period>) {
  return (
    <div className="period-choice" role="group" aria-label={props.label}>
      {props.periods.map(({ value, short, long }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === props.value}
          title={long}
          onClick={() => props.onValue(value)}
        >
          {short}
        </button>
      ))}
    </div>
  );
}

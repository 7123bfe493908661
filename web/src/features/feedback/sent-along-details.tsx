import { useState } from 'react';
import { Checkbox } from '../../ui/text-input.tsx';
import type { Draft } from './draft.ts';
import type { FeedbackLabels } from './labels.ts';
import { type ContextPart, contextParts, type Surroundings } from './surroundings.ts';

type SentAlongDetailsProps = {
  labels: FeedbackLabels;
  draft: Draft;
  /** What would be sent now. */
  live: () => Surroundings;
  locked: boolean;
  onLeftOut: (leftOut: readonly ContextPart[]) => void;
};

/** Shows what goes with the report besides what was written, each part to be left out (BUG-7). */
export function SentAlongDetails({ labels, draft, live, locked, onLeftOut }: SentAlongDetailsProps) {
  const [surroundings, setSurroundings] = useState(live);
  const { leftOut, sentAlong } = draft;

  function valueOf(part: ContextPart): string {
    const time = sentAlong?.context.time;
    if (part === 'time') return time === undefined ? labels.whenSent : labels.exactTime(time);
    const sent = part === 'address' ? sentAlong?.url : sentAlong?.context[part];
    return sent || surroundings[part] || labels.unknown;
  }

  return (
    <details
      className="report-along"
      onToggle={(event) => {
        if (event.currentTarget.open) setSurroundings(live());
      }}
    >
      <summary>{labels.sentAlong}</summary>
      <fieldset className="fields" disabled={locked}>
        <legend className="field-hint">{labels.sentAlongHint}</legend>
        {contextParts.map((part) => (
          <Checkbox
            key={part}
            label={labels.parts[part]}
            hint={valueOf(part)}
            checked={!leftOut.includes(part)}
            onChecked={(isSent) =>
              onLeftOut(isSent ? leftOut.filter((one) => one !== part) : [...leftOut, part])
            }
          />
        ))}
      </fieldset>
    </details>
  );
}

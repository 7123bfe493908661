import { useEffect, useState } from 'react';
import { Checkbox } from '#web/ui/text-input.tsx';
import type { Draft, DraftContents } from './draft.ts';
import type { FeedbackLabels } from './labels.ts';
import { FoldedList } from './record/recorded-list.tsx';
import { StepChoices } from './step-choices.tsx';
import {
  type ContextPart,
  contextParts,
  listParts,
  type SinglePart,
  type Surroundings,
} from './surroundings.ts';

/** Milliseconds. */
const refreshInterval = 2000;

type SentAlongDetailsProps = {
  labels: FeedbackLabels;
  draft: Draft;
  /** What would be sent now. */
  live: () => Surroundings;
  locked: boolean;
  onEdit: (change: Pick<Partial<DraftContents>, 'leftOut' | 'leftOutCrumbs'>) => void;
};

/** Shows the data that is sent along with the report, each part of which can be left out (BUG-7). */
export function SentAlongDetails({ labels, draft, live, locked, onEdit }: SentAlongDetailsProps) {
  const [surroundings, setSurroundings] = useState(live);
  const [isOpen, setIsOpen] = useState(false);
  const { leftOut, leftOutCrumbs, sentAlong } = draft;

  // What happens while the person reads it is sent too.
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setInterval(() => setSurroundings(live()), refreshInterval);
    return () => clearInterval(timer);
  }, [isOpen, live]);

  function valueOf(part: SinglePart): string {
    const time = sentAlong?.context.time;
    if (part === 'time') return time === undefined ? labels.whenSent : labels.exactTime(time);
    if (part === 'address') {
      const about = sentAlong?.url || draft.picture?.address || surroundings.address;
      const from = sentAlong === null ? surroundings.address : (sentAlong.context.sentFrom ?? about);
      return about === from ? about || labels.unknown : `${about} · ${labels.sentFrom(from)}`;
    }
    return sentOf(sentAlong, part) || surroundings[part] || labels.unknown;
  }
  // The data of a try that was made stays the same; parts left out of it are shown as they are now.
  const lists = Object.fromEntries(
    listParts.map((part) => [part, sentAlong?.context[part] ?? surroundings[part]]),
  ) as Pick<Surroundings, (typeof listParts)[number]>;
  /** An absent error, flag or right sends nothing, and cannot be left out. */
  const isThere = (part: ContextPart) =>
    part === 'event' ? valueOf(part) !== labels.unknown : !isList(part) || lists[part].length > 0;

  return (
    <details
      className="report-along"
      onToggle={(event) => {
        setIsOpen(event.currentTarget.open);
        if (event.currentTarget.open) setSurroundings(live());
      }}
    >
      <summary>{labels.sentAlong}</summary>
      <fieldset className="fields" disabled={locked}>
        <legend className="muted small">{labels.sentAlongHint}</legend>
        {contextParts.filter(isThere).map((part) => (
          <div key={part} className="report-along-part">
            <Checkbox
              label={labels.parts[part]}
              hint={part === 'breadcrumbs' ? labels.stepsHint : isList(part) ? undefined : valueOf(part)}
              checked={!leftOut.includes(part)}
              onChecked={(isSent) =>
                onEdit({ leftOut: isSent ? leftOut.filter((one) => one !== part) : [...leftOut, part] })
              }
            />
            {part === 'breadcrumbs' ? (
              <StepChoices
                words={labels.recorded}
                crumbs={lists.breadcrumbs}
                disabled={leftOut.includes(part)}
                leftOut={leftOutCrumbs}
                onLeftOut={(next) => onEdit({ leftOutCrumbs: next })}
              />
            ) : isList(part) ? (
              <FoldedList part={part} words={labels.recorded} context={lists} open={part === 'errors'} />
            ) : null}
          </div>
        ))}
      </fieldset>
    </details>
  );
}

function isList(part: ContextPart): part is (typeof listParts)[number] {
  return (listParts as readonly string[]).includes(part);
}

function sentOf(
  sentAlong: Draft['sentAlong'],
  part: Exclude<SinglePart, 'time' | 'address'>,
): string | undefined {
  return part === 'event' ? sentAlong?.associatedEventId : sentAlong?.context[part];
}

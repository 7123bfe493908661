import type { Breadcrumb } from '#features/feedback/contract/feedback.ts';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Checkbox } from '#web/ui/text-input.tsx';
import type { Draft, DraftContents } from './draft.ts';
import { type RecordWords, recordWords } from './record/record-words.ts';
import { FoldedList } from './record/recorded-list.tsx';
import {
  breadcrumbKey,
  type ContextPart,
  contextParts,
  listParts,
  type SinglePart,
  type Surroundings,
} from './surroundings.ts';
import { useFormats } from '#web/platform/contexts.tsx';

function textOf(part: ContextPart): string {
  if (part === 'breadcrumbs') return 'FEEDBACK.ALONG.STEPS';
  return part === 'timeZone' ? 'FEEDBACK.ALONG.TIME_ZONE' : `FEEDBACK.ALONG.${part.toUpperCase()}`;
}

/** Milliseconds. */
const refreshInterval = 2000;

type SentAlongDetailsProps = {
  draft: Draft;
  /** What would be sent now. */
  live: () => Surroundings;
  locked: boolean;
  onEdit: (change: Pick<Partial<DraftContents>, 'leftOut' | 'leftOutCrumbs'>) => void;
};

/** Shows the data that is sent along with the report, each part of which can be left out (BUG-7). */
export function SentAlongDetails({ draft, live, locked, onEdit }: SentAlongDetailsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useMemo(() => recordWords(t, formats), [t, formats]);
  const [surroundings, setSurroundings] = useState(live);
  const [isOpen, setIsOpen] = useState(false);
  const { leftOut, leftOutCrumbs, sentAlong } = draft;

  // Data that is recorded while the person reads the details is sent too.
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setInterval(() => setSurroundings(live()), refreshInterval);
    return () => clearInterval(timer);
  }, [isOpen, live]);

  function valueOf(part: SinglePart): string {
    const time = sentAlong?.context.time;
    if (part === 'time') return time === undefined ? t('FEEDBACK.ALONG.WHEN_SENT') : formats.exact(time);
    if (part === 'address') {
      const about = sentAlong?.url || draft.picture?.address || surroundings.address;
      const from = sentAlong === null ? surroundings.address : (sentAlong.context.sentFrom ?? about);
      return about === from
        ? about || t('FEEDBACK.ALONG.UNKNOWN')
        : `${about} · ${t('FEEDBACK.ALONG.SENT_FROM', { address: from })}`;
    }
    return sentOf(sentAlong, part) || surroundings[part] || t('FEEDBACK.ALONG.UNKNOWN');
  }
  // After a try the data that it sent stays the same; parts that were left out show their current values.
  const lists = Object.fromEntries(
    listParts.map((part) => [part, sentAlong?.context[part] ?? surroundings[part]]),
  ) as Pick<Surroundings, (typeof listParts)[number]>;
  /** If there is no error, flag or right, that part sends nothing and cannot be left out. */
  const isThere = (part: ContextPart) =>
    part === 'event'
      ? valueOf(part) !== t('FEEDBACK.ALONG.UNKNOWN')
      : !isList(part) || lists[part].length > 0;

  return (
    <details
      className="report-along"
      onToggle={(event) => {
        setIsOpen(event.currentTarget.open);
        if (event.currentTarget.open) setSurroundings(live());
      }}
    >
      <summary className="strong">{t('FEEDBACK.ALONG.TITLE')}</summary>
      <fieldset className="fields" disabled={locked}>
        <legend className="muted small">{t('FEEDBACK.ALONG.HINT')}</legend>
        {contextParts.filter(isThere).map((part) => (
          <div key={part} className="report-along-part">
            <Checkbox
              label={t(textOf(part))}
              hint={
                part === 'breadcrumbs'
                  ? t('FEEDBACK.ALONG.STEPS_HINT')
                  : isList(part)
                    ? undefined
                    : valueOf(part)
              }
              checked={!leftOut.includes(part)}
              onChecked={(isSent) =>
                onEdit({ leftOut: isSent ? leftOut.filter((one) => one !== part) : [...leftOut, part] })
              }
            />
            {part === 'breadcrumbs' ? (
              <StepChoices
                words={words}
                crumbs={lists.breadcrumbs}
                disabled={leftOut.includes(part)}
                leftOut={leftOutCrumbs}
                onLeftOut={(next) => onEdit({ leftOutCrumbs: next })}
              />
            ) : isList(part) ? (
              <FoldedList part={part} words={words} context={lists} open={part === 'errors'} />
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

type StepChoicesProps = {
  words: RecordWords;
  crumbs: readonly Breadcrumb[];
  /** All steps are left out. */
  disabled: boolean;
  /** The keys of the steps that are left out. */
  leftOut: readonly string[];
  onLeftOut: (leftOut: readonly string[]) => void;
};

/** The steps before a report, folded, each of which can be left out (BUG-7); the newest first. */
function StepChoices({ words, crumbs, disabled, leftOut, onLeftOut }: StepChoicesProps) {
  return (
    <details className="recorded-more">
      <summary className="muted small">{words.counted('steps', crumbs.length)}</summary>
      <ul className="recorded stack gap-2 shrinks">
        {crumbs.toReversed().map((crumb) => {
          const key = breadcrumbKey(crumb);
          const { title, details } = words.crumb(crumb);
          return (
            <li key={key}>
              <Checkbox
                label={title}
                hint={[words.clock(crumb.at), details].filter((part) => part !== '').join(' · ')}
                disabled={disabled}
                checked={!disabled && !leftOut.includes(key)}
                onChecked={(isSent) =>
                  onLeftOut(isSent ? leftOut.filter((one) => one !== key) : [...leftOut, key])
                }
              />
            </li>
          );
        })}
      </ul>
    </details>
  );
}

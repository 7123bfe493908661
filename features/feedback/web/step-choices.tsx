import type { Breadcrumb } from '#features/feedback/contract/feedback.ts';
import { Checkbox } from '#web/ui/text-input.tsx';
import type { RecordWords } from './record/record-words.ts';
import { breadcrumbKey } from './surroundings.ts';
import './record/record.css';

type StepChoicesProps = {
  words: RecordWords;
  crumbs: readonly Breadcrumb[];
  /** All of them are left out. */
  disabled: boolean;
  /** The keys of those that are left out. */
  leftOut: readonly string[];
  onLeftOut: (leftOut: readonly string[]) => void;
};

/** The steps before a report, folded, each of which can be left out (BUG-7); the newest first. */
export function StepChoices({ words, crumbs, disabled, leftOut, onLeftOut }: StepChoicesProps) {
  return (
    <details className="recorded-more">
      <summary>{words.steps(crumbs.length)}</summary>
      <ul className="recorded">
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

import type {
  Breadcrumb,
  FailedCall,
  ReportContext,
  ReportedError,
} from '#features/feedback/contract/feedback.ts';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import type { RecordWords } from './record-words.ts';
import '#web/ui/fold.css';
import './record.css';

export type RecordedPart = 'errors' | 'flags' | 'rights';

type RecordedListProps = {
  part: RecordedPart;
  words: RecordWords;
  context: { readonly [P in RecordedPart]?: Readonly<ReportContext[P]> };
};

/** The errors, flags or rights of a report; nothing where there are none. */
export function RecordedList({ part, words, context }: RecordedListProps) {
  const lines = linesOf(part, words, context);
  if (lines.length === 0) return null;
  return (
    <ul className="recorded stack gap-2 shrinks" data-dense={part === 'flags' || part === 'rights'}>
      {lines.map(({ key, title, details }) => (
        <li key={key}>
          <span className="recorded-title">{title}</span>
          {details === '' ? null : <small className="muted">{details}</small>}
        </li>
      ))}
    </ul>
  );
}

/** A `RecordedList`, folded, with the number of its entries. */
export function FoldedList({ open = false, ...list }: RecordedListProps & { open?: boolean }) {
  const { part, words, context } = list;
  const count = context[part]?.length ?? 0;
  if (count === 0) return null;
  return (
    <details className="recorded-more" open={open}>
      <summary className="muted small">{words.counted(part, count)}</summary>
      <RecordedList {...list} />
    </details>
  );
}

type Line = { key: string; title: string; details: string };

function linesOf(part: RecordedPart, words: RecordWords, context: RecordedListProps['context']): Line[] {
  switch (part) {
    case 'errors':
      // Newest first: the report is most likely about the newest error.
      return (context.errors ?? []).map((error) => ({ key: error.id, ...words.error(error) })).toReversed();
    case 'flags':
      return (context.flags ?? []).map(({ key, value }) => ({ key, title: key, details: value }));
    case 'rights':
      return (context.rights ?? []).map((right) => ({ key: right, title: right, details: '' }));
  }
}

type Entry = {
  readonly key: string;
  readonly at: number;
  readonly icon: IconName;
  readonly isFailure: boolean;
  readonly title: string;
  readonly details: string;
};

const icons: Readonly<Record<Breadcrumb['kind'], IconName>> = {
  navigation: 'monitor',
  click: 'chevron-right',
  call: 'warning',
  console: 'warning',
};

type TimelineProps = { words: RecordWords; context: Readonly<ReportContext> };

/** What happened before a report: steps, failed calls and errors, in the order of time. */
export function Timeline({ words, context }: TimelineProps) {
  const entries = entriesOf(words, context);
  if (entries.length === 0) return null;
  return (
    <ol className="timeline stack gap-1">
      {entries.map(({ key, at, icon, isFailure, title, details }) => (
        <li key={key} data-failure={isFailure}>
          <time dateTime={new Date(at).toISOString()} title={words.exact(at)}>
            {words.clock(at)}
          </time>
          <Icon name={icon} size={14} />
          <span className="timeline-what grid breaks">
            {title}
            {details === '' ? null : <small className="muted">{details}</small>}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Senders other than the form put failed calls into `failedCalls`, not into the breadcrumbs. */
function entriesOf(words: RecordWords, context: TimelineProps['context']): Entry[] {
  const { breadcrumbs = [], failedCalls = [], errors = [] } = context;
  const calls = failedCalls.map((call): Breadcrumb => ({ kind: 'call', ...call }));
  const crumbs = [...breadcrumbs, ...calls];
  const callOf = (error: ReportedError) =>
    crumbs.filter((crumb) => crumb.kind === 'call').find((call) => isCallOf(call, error));
  const failures = errors.map((error) => ({ error, call: callOf(error) }));
  const callsOfErrors = new Set<Breadcrumb | undefined>(failures.map(({ call }) => call));
  const steps = crumbs
    .filter((crumb) => !callsOfErrors.has(crumb))
    .map((crumb, index) => ({
      key: `step ${index}`,
      at: crumb.at,
      icon: icons[crumb.kind],
      isFailure: crumb.kind === 'call' || (crumb.kind === 'console' && crumb.level === 'error'),
      ...words.crumb(crumb),
    }));
  const failed = failures.map(({ error, call }) => ({
    key: error.id,
    at: error.at,
    icon: 'alert' as const,
    isFailure: true,
    ...words.failure(error, call),
  }));
  return [...steps, ...failed].toSorted((one, other) => one.at - other.at);
}

/** Milliseconds between a call that failed and the error that it led to. */
const soon = 1000;

/** Whether this call led to the error: both are then one entry. */
function isCallOf(call: FailedCall, error: ReportedError): boolean {
  return (
    Math.abs(error.at - call.at) <= soon &&
    error.status === call.status &&
    error.code === call.code &&
    error.requestId === call.requestId
  );
}

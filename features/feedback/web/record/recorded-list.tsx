import type { ReportContext } from '#features/feedback/contract/feedback.ts';
import type { RecordWords } from './record-words.ts';
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
    <ul className="recorded" data-dense={part === 'flags' || part === 'rights'}>
      {lines.map(({ key, title, details }) => (
        <li key={key}>
          <span className="recorded-title">{title}</span>
          {details === '' ? null : <small className="muted">{details}</small>}
        </li>
      ))}
    </ul>
  );
}

/** The same list, folded, with the number of its entries. */
export function FoldedList({ open = false, ...list }: RecordedListProps & { open?: boolean }) {
  const { part, words, context } = list;
  const count = context[part]?.length ?? 0;
  if (count === 0) return null;
  return (
    <details className="recorded-more" open={open}>
      <summary>{words.counted(part, count)}</summary>
      <RecordedList {...list} />
    </details>
  );
}

type Line = { key: string; title: string; details: string };

function linesOf(part: RecordedPart, words: RecordWords, context: RecordedListProps['context']): Line[] {
  switch (part) {
    case 'errors':
      // The newest first: it is the one that the report is most likely about.
      return (context.errors ?? []).map((error) => ({ key: error.id, ...words.error(error) })).toReversed();
    case 'flags':
      return (context.flags ?? []).map(({ key, value }) => ({ key, title: key, details: value }));
    case 'rights':
      return (context.rights ?? []).map((right) => ({ key: right, title: right, details: '' }));
  }
}

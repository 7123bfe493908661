import type { AuditEntry } from '#features/audit/contract/audit.ts';
import { useTranslation } from 'react-i18next';
import { type Difference, differences, fieldsOf, isPlain } from './difference.ts';
import { isRaw, useValueWords } from './value-words.ts';
import { diffWordsWithSpace } from 'diff';

// These fields change with every write and do not describe it; the JSON has them.
const bookkeeping = new Set(['version', 'changedAt', 'changedBy', 'createdAt', 'id']);

/** What an entry records of before and after: field by field, in words, and as JSON. */
export function DifferenceView({ entry: { before, after } }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const none = (before === null || before === undefined) && (after === null || after === undefined);
  if (none) return <p className="muted">{t('AUDIT.ENTRY.NO_DETAILS')}</p>;
  const both = before !== null && after !== null;
  return (
    <section className="section section-divided">
      <h3>{t(both ? 'AUDIT.ENTRY.CHANGED' : before === null ? 'AUDIT.ENTRY.SET' : 'AUDIT.ENTRY.GONE')}</h3>
      {both ? <Changes before={before} after={after} /> : <State state={before ?? after} />}
      <details className="audit-raw">
        <summary className="muted">{t('AUDIT.ENTRY.RAW')}</summary>
        <pre className="code-block">{JSON.stringify({ before, after }, null, 2)}</pre>
      </details>
    </section>
  );
}

/** The state before or after; empty fields are left out. */
function State({ state }: { state: unknown }) {
  const words = useValueWords();
  const shown = fieldsOf(state).filter(
    ({ path, value }) => !bookkeeping.has(path[0] ?? '') && value !== '' && value !== null && !isEmpty(value),
  );
  return (
    <dl className="stack gap-2">
      {shown.map(({ path, value }) => (
        <div key={path.join('\n')} className="audit-field facts even breaks">
          <dt>{words.place(path)}</dt>
          <dd>
            <Value name={path.at(-1) ?? ''} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function Changes({ before, after }: { before: unknown; after: unknown }) {
  const { t } = useTranslation();
  const words = useValueWords();
  const found = differences(before, after).filter(({ path }) => !bookkeeping.has(path[0] ?? ''));
  if (found.length === 0) return <p className="muted">{t('AUDIT.ENTRY.SAME')}</p>;
  return (
    <dl className="stack gap-2">
      {found.map((difference) => (
        <div key={difference.path.join('\n')} className="audit-field facts even breaks">
          <dt>{words.place(difference.path)}</dt>
          <dd>
            <Change {...difference} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Change({ path, before, after }: Difference) {
  const name = path.findLast((part) => !/^\d+$/.test(part)) ?? '';
  if (isPlainList(before) && isPlainList(after))
    return <ListChange name={name} before={before} after={after} />;
  if (typeof before === 'string' && typeof after === 'string' && isProse(before) && isProse(after))
    return <TextChange before={before} after={after} />;
  return (
    <>
      {before === undefined ? null : <Gone name={name} value={before} />}{' '}
      {after === undefined ? null : <Came name={name} value={after} />}
    </>
  );
}

function isPlainList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every(isPlain);
}

/** Longer texts are compared word by word. */
function isProse(text: string): boolean {
  return /\S\s+\S/.test(text);
}

function TextChange({ before, after }: { before: string; after: string }) {
  return (
    <p className="lines" dir="auto">
      {wordDifference(before, after).map(({ kind, text }, index) =>
        kind === 'same' ? (
          <span key={index}>{text}</span>
        ) : kind === 'gone' ? (
          <Marked key={index} kind="gone">
            {text}
          </Marked>
        ) : (
          <Marked key={index} kind="new">
            {text}
          </Marked>
        ),
      )}
    </p>
  );
}

function ListChange({
  name,
  before,
  after,
}: {
  name: string;
  before: readonly unknown[];
  after: readonly unknown[];
}) {
  const words = useValueWords();
  const gone = before.filter((item) => !after.includes(item));
  const came = after.filter((item) => !before.includes(item));
  // Both lists have the same items, in another order or repeated differently.
  if (gone.length + came.length === 0)
    return (
      <>
        <Gone name={name} value={before} /> <Came name={name} value={after} />
      </>
    );
  const stayed = after.filter((item) => before.includes(item));
  return (
    <ul className="row wrap gap-1-3">
      {stayed.map((item) => (
        <li key={String(item)}>{words.value(name, item)}</li>
      ))}
      {gone.map((item) => (
        <li key={String(item)}>
          <Gone name={name} value={item} />
        </li>
      ))}
      {came.map((item) => (
        <li key={String(item)}>
          <Came name={name} value={item} />
        </li>
      ))}
    </ul>
  );
}

function Gone({ name, value }: { name: string; value: unknown }) {
  return (
    <Marked kind="gone">
      <Value name={name} value={value} />
    </Marked>
  );
}

function Came({ name, value }: { name: string; value: unknown }) {
  return (
    <Marked kind="new">
      <Value name={name} value={value} />
    </Marked>
  );
}

/** What was removed and what was added, marked by more than colour, also for screen readers. */
function Marked({ kind, children }: { kind: 'gone' | 'new'; children: React.ReactNode }) {
  const { t } = useTranslation();
  const Mark = kind === 'gone' ? 'del' : 'ins';
  return (
    <Mark className={kind === 'gone' ? 'tone-high' : 'tone-ok'}>
      <span className="visually-hidden">{`${t(kind === 'gone' ? 'AUDIT.ENTRY.BEFORE' : 'AUDIT.ENTRY.AFTER')} `}</span>
      {children}
    </Mark>
  );
}

function Value({ name, value }: { name: string; value: unknown }) {
  const words = useValueWords();
  const text = words.value(name, value);
  return isRaw(value) ? (
    <code className="audit-code small lines breaks line">{text}</code>
  ) : (
    <span dir="auto">{text}</span>
  );
}

/** A stretch of text that is unchanged, removed or added. */
type Stretch = { kind: 'same' | 'gone' | 'new'; text: string };

/**
 * With more changed words than this a text counts as rewritten: a comparison word by word would not be
 * readable.
 */
const mostChangedWords = 500;

/**
 * Compares two texts word by word. The parts `same` and `gone` make up the old text, `same` and `new` the
 * new text.
 */
export function wordDifference(before: string, after: string): Stretch[] {
  const changes = diffWordsWithSpace(before, after, { maxEditLength: mostChangedWords });
  if (changes === undefined)
    return [
      { kind: 'gone', text: before },
      { kind: 'new', text: after },
    ];
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'new' : removed ? 'gone' : 'same',
    text: value,
  }));
}

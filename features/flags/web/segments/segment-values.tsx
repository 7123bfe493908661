import { mostValues, valuesIn } from '#features/flags/contract/segments.ts';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';
import { TextAreaField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SearchInput } from '#web/ui/text-input.tsx';
import { useFormats } from '#web/platform/contexts.tsx';

/** The number of values to show; others are found by searching. */
const mostShown = 30;

type SegmentValuesProps = {
  /** One to a line. */
  values: string;
  attribute: string;
  error: string | undefined;
  mayWrite: boolean;
  onValues: (values: string) => void;
};

/** Edits the values of a list: search, remove one by one, add by pasting or from a file. */
export function SegmentValues({ values, attribute, error, mayWrite, onValues }: SegmentValuesProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const file = useRef<HTMLInputElement>(null);
  const [search, setSearch] = useState('');
  const [pasted, setPasted] = useState('');
  const [said, setSaid] = useState('');
  const all = useMemo(() => valuesIn(values), [values]);
  const found = all.filter((value) => value.toLowerCase().includes(search.trim().toLowerCase()));

  function add(cells: readonly string[], replace: boolean): void {
    const before = new Set(replace ? [] : all);
    const after = new Set(before);
    for (const cell of cells) after.add(cell);
    const added = after.size - before.size;
    const lost = replace ? all.filter((value) => !after.has(value)).length : 0;
    if (after.size > mostValues) {
      setSaid(t('SEGMENTS.ERRORS.TOO_MANY'));
      return;
    }
    const counts = { added, removed: lost, ignored: cells.length - added };
    setSaid(
      t('SEGMENTS.TAKEN', {
        added: formats.number(counts.added),
        removed: formats.number(counts.removed),
        ignored: formats.number(counts.ignored),
      }),
    );
    setPasted('');
    onValues([...after].join('\n'));
  }

  return (
    <section className="stack gap-3" aria-labelledby="segment-values">
      <h2 id="segment-values">
        {t('SEGMENTS.VALUES', { count: all.length, values: formats.number(all.length) })}
      </h2>
      {error === undefined ? null : (
        <Notice severity="high" role="alert">
          {error}
        </Notice>
      )}
      {all.length === 0 ? (
        <p className="muted">{t('SEGMENTS.NO_VALUES')}</p>
      ) : (
        <>
          <SearchInput
            label={t('SEGMENTS.SEARCH_VALUES')}
            value={search}
            maxLength={200}
            onValue={setSearch}
          />
          <ul className="row wrap gap-1" aria-label={t('SEGMENTS.SHOWN')}>
            {found.slice(0, mostShown).map((value) => (
              <li className="list-input-entry sunk inline-row breaks" key={value}>
                <code className="breaks">{value}</code>
                {mayWrite ? (
                  <button
                    className="centered"
                    type="button"
                    aria-label={t('FLAGS.RULE.REMOVE_VALUE', { value })}
                    onClick={() => onValues(all.filter((each) => each !== value).join('\n'))}
                  >
                    <Icon name="close" size={12} />
                  </button>
                ) : null}
              </li>
            ))}
          </ul>
          <p className="muted small" role="status">
            {found.length > mostShown
              ? t('SEGMENTS.PART', { shown: mostShown, found: formats.number(found.length) })
              : t('SEGMENTS.FOUND', { count: found.length })}
          </p>
        </>
      )}
      {mayWrite ? (
        <>
          <TextAreaField
            label={t('SEGMENTS.PASTE')}
            hint={t('SEGMENTS.PASTE_HINT')}
            rows={4}
            spellCheck={false}
            value={pasted}
            onValue={setPasted}
          />
          <div className="row wrap gap-2">
            <Button disabled={pasted.trim() === ''} onClick={() => add(cellsIn(pasted), false)}>
              {t('SEGMENTS.ADD')}
            </Button>
            <Button disabled={pasted.trim() === ''} onClick={() => add(cellsIn(pasted), true)}>
              {t('SEGMENTS.REPLACE')}
            </Button>
            <Button onClick={() => file.current?.click()}>{t('SEGMENTS.FILE')}</Button>
            <input
              ref={file}
              type="file"
              hidden
              accept=".csv,.txt,text/csv,text/plain"
              aria-label={t('SEGMENTS.FILE')}
              onChange={({ target }) => {
                const [chosen] = target.files ?? [];
                void chosen?.text().then((text) => {
                  target.value = '';
                  add(firstColumn(text, attribute), false);
                });
              }}
            />
          </div>
          <p role="status">{said}</p>
        </>
      ) : null}
    </section>
  );
}

/** Splits a pasted text at lines, commas, semicolons and tabs. */
function cellsIn(text: string): string[] {
  return text
    .split(/[\n,;\t]/)
    .map(unquoted)
    .filter((cell) => cell !== '');
}

/** The first column of a table, without a heading that is the attribute's name. */
function firstColumn(text: string, attribute: string): string[] {
  const cells = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => unquoted(/^\s*"(?:[^"]|"")*"|^[^,;\t]*/.exec(line)?.[0] ?? ''))
    .filter((cell) => cell !== '');
  return cells[0]?.toLowerCase() === attribute.toLowerCase() ? cells.slice(1) : cells;
}

function unquoted(cell: string): string {
  const text = cell.trim();
  return /^".*"$/.test(text) ? text.slice(1, -1).replaceAll('""', '"').trim() : text;
}

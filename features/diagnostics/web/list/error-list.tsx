import type { ErrorGroup, ErrorStatus, ListedError } from '#features/diagnostics/contract/diagnostics.ts';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Face } from '#features/directory/web/person-choice.tsx';
import { Sparkline } from '#web/ui/count-bars.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Button } from '#web/ui/button.tsx';
import { useErrorChange } from '../error-changes.tsx';
import { useFormats } from '#web/platform/contexts.tsx';
import { Tag } from '#web/ui/tag.tsx';

/** How long an error counts as new, milliseconds. */
const newFor = 86_400_000;

/** What is noteworthy about an error, in a word: it came back, or it is new. */
export function ErrorTags({ error, now }: { error: ErrorGroup; now: number }) {
  const { t } = useTranslation();
  if (error.returnedAt !== null)
    return (
      <Tag kind="high" icon="refresh">
        {t('DIAGNOSTICS.RETURNED')}
      </Tag>
    );
  if (error.status === 'open' && now - error.firstSeenAt < newFor)
    return (
      <Tag kind="info" icon="plus">
        {t('DIAGNOSTICS.NEW')}
      </Tag>
    );
  return null;
}

type ErrorListProps = {
  errors: readonly ListedError[];
  /** The name of a project; '' where there is only one. */
  projectName: (id: number) => string;
  /** Null: the person may not change errors. */
  selection: Selection | null;
  status: ErrorStatus;
  onDelete: () => void;
  now: number;
};

type Selection = { ids: ReadonlySet<string>; set: (ids: ReadonlySet<string>) => void };

/**
 * Errors, each a link to its page. The list is one stop for Tab; up and down arrows move between rows, and
 * between their checkboxes.
 */
export function ErrorList(props: ErrorListProps) {
  const { errors, projectName, selection, now } = props;
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState('');
  const current = errors.some(({ id }) => id === focused) ? focused : (errors[0]?.id ?? '');

  function move(event: KeyboardEvent<HTMLElement>): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = errors.findIndex(({ id }) => id === current);
    const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: errors.length - 1 }[event.key];
    const row = target === undefined ? undefined : errors[target];
    if (row === undefined) return;
    event.preventDefault();
    const part = event.target instanceof HTMLInputElement ? 'input' : 'a';
    list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row.id)}"] ${part}`)?.focus();
  }

  return (
    <div className="error-list clipped panel">
      <ListHead {...props} />
      <ul ref={list} className="divided" aria-label={t('DIAGNOSTICS.LIST')}>
        {errors.map((error) => (
          <ErrorRow
            key={error.id}
            error={error}
            project={projectName(error.projectId)}
            selection={selection}
            control={{
              tabIndex: error.id === current ? 0 : -1,
              onFocus: () => setFocused(error.id),
              onKeyDown: move,
            }}
            now={now}
          />
        ))}
      </ul>
    </div>
  );
}

type ErrorRowProps = {
  error: ListedError;
  project: string;
  selection: Selection | null;
  /** Properties that the row's checkbox and link share. */
  control: { tabIndex: number; onFocus: () => void; onKeyDown: (event: KeyboardEvent<HTMLElement>) => void };
  now: number;
};

function ErrorRow({ error, project, selection, control, now }: ErrorRowProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { id, kind, message, place, counts, events, people, lastSeenAt } = error;
  const isSelected = selection?.ids.has(id) === true;

  function select(isChosen: boolean): void {
    const next = new Set(selection?.ids);
    if (isChosen) next.add(id);
    else next.delete(id);
    selection?.set(next);
  }

  return (
    <li className="error-row flex" data-row={id} data-selected={isSelected}>
      {selection === null ? null : (
        <label className="error-row-check grid rigid" data-private="">
          <input
            type="checkbox"
            checked={isSelected}
            {...control}
            onChange={(event) => select(event.currentTarget.checked)}
          />
          <span className="visually-hidden">{t('DIAGNOSTICS.SELECT', { error: `${kind} ${message}` })}</span>
        </label>
      )}
      <Link to={`/diagnostics/${id}`} className="error-row-link grid middle opens grow gap-4" {...control}>
        <span className="error-row-what stack gap-2px shrinks">
          <span className="cut">
            <strong className="strong">{kind}</strong>{' '}
            <span className="error-row-message" dir="auto">
              {message}
            </span>
          </span>
          <span className="error-row-place row shrinks muted small nowrap">
            <ErrorTags error={error} now={now} />
            {error.assignee === null ? null : (
              <span title={t('DIAGNOSTICS.ASSIGNEE.ASSIGNED', { name: error.assignee.name })}>
                <Face name={error.assignee.name} small />
                <span className="visually-hidden">
                  {t('DIAGNOSTICS.ASSIGNEE.ASSIGNED', { name: error.assignee.name })}
                </span>
              </span>
            )}
            <code className="cut">{place}</code>
            {project === '' ? null : <span>{project}</span>}
          </span>
        </span>
        <Sparkline counts={counts} />
        <span className="error-row-count">
          {formats.number(events)}
          <span className="error-row-unit error-row-unit-shown">
            {' '}
            {t('DIAGNOSTICS.UNITS.EVENTS', { count: events })}
          </span>
        </span>
        <span className="error-row-count error-row-people">
          <Icon name="people" size={14} />
          {formats.number(people)}
          <span className="error-row-unit"> {t('DIAGNOSTICS.UNITS.PEOPLE', { count: people })}</span>
        </span>
        <time
          className="error-row-seen muted nowrap"
          dateTime={new Date(lastSeenAt).toISOString()}
          title={formats.exact(lastSeenAt)}
        >
          {formats.relative(lastSeenAt, now)}
        </time>
      </Link>
    </li>
  );
}

/** The titles of the columns, with a box that selects all errors; the actions while some are selected. */
function ListHead({ errors, selection, status, onDelete }: ErrorListProps) {
  const { t } = useTranslation();
  const change = useErrorChange();
  const chosen = errors.filter(({ id }) => selection?.ids.has(id));
  const run = (what: Parameters<typeof change.mutate>[0]['change']) => {
    change.mutate({ change: what, errors: chosen });
    selection?.set(new Set());
  };
  return (
    <div
      className="error-list-head flex underlined small"
      role="group"
      aria-label={t('DIAGNOSTICS.CHOSEN.LABEL')}
    >
      {selection === null ? null : (
        <label className="error-row-check grid rigid">
          <input
            type="checkbox"
            aria-label={t('DIAGNOSTICS.CHOSEN.ALL')}
            title={t('DIAGNOSTICS.CHOSEN.ALL')}
            checked={chosen.length > 0 && chosen.length === errors.length}
            ref={(box) => {
              if (box !== null) box.indeterminate = chosen.length > 0 && chosen.length < errors.length;
            }}
            onChange={({ currentTarget: { checked } }) =>
              selection.set(new Set(checked ? errors.map(({ id }) => id) : []))
            }
          />
        </label>
      )}
      {chosen.length === 0 ? (
        <div className="error-list-titles grid middle grow gap-4 muted strong" aria-hidden="true">
          <span>{t('DIAGNOSTICS.COLUMNS.ERROR')}</span>
          <span>{t('DIAGNOSTICS.COLUMNS.TREND')}</span>
          <span>{t('DIAGNOSTICS.COLUMNS.EVENTS')}</span>
          <span>{t('DIAGNOSTICS.COLUMNS.PEOPLE')}</span>
          <span>{t('DIAGNOSTICS.COLUMNS.LAST_SEEN')}</span>
        </div>
      ) : (
        <div className="error-list-actions row wrap">
          <strong role="status">{t('DIAGNOSTICS.CHOSEN.COUNT', { count: chosen.length })}</strong>
          {status === 'open' ? (
            <>
              <Button small icon="check" onClick={() => run('resolve')}>
                {t('DIAGNOSTICS.ACTIONS.RESOLVE')}
              </Button>
              <Button small onClick={() => run('ignore')}>
                {t('DIAGNOSTICS.ACTIONS.IGNORE')}
              </Button>
            </>
          ) : (
            <Button small onClick={() => run('reopen')}>
              {t('DIAGNOSTICS.ACTIONS.REOPEN')}
            </Button>
          )}
          <Button small tone="danger" onClick={onDelete}>
            {t('DIAGNOSTICS.ACTIONS.DELETE')}
          </Button>
        </div>
      )}
    </div>
  );
}

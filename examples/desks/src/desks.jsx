import { useCan, useFlag, usePortico, useUnsaved } from 'portico/react';
import { useEffect, useState } from 'react';
import { useLiveDesks } from './live-desks.js';

const kept = 'desks.note';

export function Desks() {
  const portico = usePortico();
  const { desks, connected } = useLiveDesks();
  const mayManage = useCan('DESKS_MANAGE');
  const compact = useFlag('DESKS_COMPACT', false);
  const [note, setNote] = useState(() => sessionStorage.getItem(kept) ?? '');
  const [problem, setProblem] = useState('');

  // Maintenance takes the page away, and brings it back: what is typed is there again.
  useEffect(() => portico?.beforeMaintenance(() => sessionStorage.setItem(kept, note)), [portico, note]);

  // Operators see before maintenance that something is typed here, and the person is asked to finish it.
  useUnsaved(note !== '');

  async function change(method, desk) {
    const answer = await fetch(`/desks/api/desks/${desk.number}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: method === 'PUT' ? JSON.stringify({ note }) : undefined,
    }).catch(() => null);
    const refusal = answer?.ok ? {} : await answer?.json().catch(() => null);
    // Portico's refusals are problems (RFC 9457), such as for maintenance; the application's own have a message.
    setProblem(
      answer?.ok
        ? ''
        : (refusal?.message ?? refusal?.detail ?? refusal?.title ?? 'The server cannot be reached.'),
    );
    if (!answer?.ok) return;
    sessionStorage.removeItem(kept);
    if (method === 'PUT') setNote('');
  }

  const own = portico?.user?.id;
  return (
    <>
      <header>
        <strong>Desks</strong>
        <nav>
          <a href="/">Leave</a>
        </nav>
        <span>{portico?.user?.name}</span>
        <button onClick={() => void portico?.report({ tags: { application: 'desks' } })}>
          Report a problem
        </button>
      </header>
      <main>
        <h1>Who sits where</h1>
        <p role="status">{connected ? 'Live' : 'Connecting …'}</p>
        <label>
          A note for your colleagues{' '}
          <input maxLength={100} value={note} onChange={(event) => setNote(event.target.value)} />
        </label>
        {problem !== '' && <p role="alert">{problem}</p>}
        <ol className={compact ? 'compact' : ''}>
          {desks.map((desk) => (
            <li key={desk.number} aria-label={`Desk ${desk.number}`}>
              <b>{desk.number}</b> {desk.takenBy?.name ?? 'Free'} {desk.note !== '' && <i>{desk.note}</i>}
              {desk.takenBy === null && <button onClick={() => void change('PUT', desk)}>Take</button>}
              {desk.takenBy !== null && (desk.takenBy.id === own || mayManage) && (
                <button onClick={() => void change('DELETE', desk)}>Free it</button>
              )}
            </li>
          ))}
        </ol>
      </main>
    </>
  );
}

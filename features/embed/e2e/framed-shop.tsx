import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useCan, useFlag, usePortico, useUnsaved } from 'portico/react';

/** An application's own screens, in React. */
function Shop() {
  const portico = usePortico();
  const mayChange = useCan('REPORTS_READ');
  const colour = useFlag('SHOP_COLOUR', 'grey');
  const [place, setPlace] = useState(window.location.pathname);
  const [note, setNote] = useState('');
  const [saved] = useState(sessionStorage.getItem('shop.saved') ?? '');
  useUnsaved(note !== '');
  useEffect(
    () =>
      portico?.beforeMaintenance(async () => {
        await new Promise((done) => setTimeout(done, 50));
        sessionStorage.setItem('shop.saved', 'half a form');
      }),
    [portico],
  );
  return (
    <>
      <p data-testid="name">{portico?.user?.name ?? 'nobody'}</p>
      <p data-testid="right">{mayChange ? 'may' : 'may not'}</p>
      <p data-testid="colour">{colour}</p>
      <p data-testid="place">{place}</p>
      <p data-testid="saved">{saved}</p>
      <label>
        Note <input value={note} onChange={(event) => setNote(event.target.value)} />
      </label>
      <button
        onClick={() => {
          history.pushState(null, '', '/shop/app/orders/4711');
          setPlace(window.location.pathname);
        }}
      >
        Open the order
      </button>
      <button onClick={() => void fetch('/shop/fails')}>Fail</button>
      <button onClick={() => void portico?.signOut()}>Leave</button>
    </>
  );
}

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<Shop />);

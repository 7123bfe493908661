// `portico.js` stands before this script in the page.
const { portico } = window;

document.querySelector('#sign-out').addEventListener('click', () => void portico.signOut());

// The server decides; the page follows while it is open.
const showWhatMayBeUsed = () => {
  for (const element of document.querySelectorAll('[data-right]'))
    element.hidden = !portico.can(element.dataset.right);
};
void portico.ready.then(showWhatMayBeUsed);
portico.on('rights', showWhatMayBeUsed);

const form = document.querySelector('form[data-draft]');
if (form !== null) {
  // Operators see before maintenance that something is typed here, and the person is asked to send it.
  form.addEventListener('input', () => portico.unsaved(true));
  portico.beforeMaintenance(() =>
    fetch(form.dataset.draft, { method: 'POST', body: new URLSearchParams(new FormData(form)) }),
  );
}

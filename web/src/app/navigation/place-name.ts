/** What the place is called in which the person types now: the dialog that is open, on its screen. */
export function placeName(): string {
  const screen = document.title.split(' · ', 1)[0] ?? '';
  const dialog = [...document.querySelectorAll('dialog[open] .dialog-title')].at(-1)?.textContent ?? '';
  return dialog === '' ? screen : `${screen}: ${dialog}`;
}

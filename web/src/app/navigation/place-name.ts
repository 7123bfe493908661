/** The name of the place in which the person types now: the open dialog and its screen. */
export function placeName(): string {
  const screen = document.title.split(' · ', 1)[0] ?? '';
  const dialog = [...document.querySelectorAll('dialog[open] .dialog-title')].at(-1)?.textContent ?? '';
  return dialog === '' ? screen : `${screen}: ${dialog}`;
}

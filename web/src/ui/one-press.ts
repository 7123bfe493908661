const pressed = new WeakSet<object>();

/**
 * Lets one press through. Until the work that it starts is rendered as busy, a second press may come: a
 * double click on a busy machine, or Enter pressed twice. That press does nothing. Without a hook, which
 * `portico.js` would have to download with its buttons.
 *
 * @param place what is pressed: the button or the form
 */
export function onePress(place: object, run: () => void): void {
  if (pressed.has(place)) return;
  pressed.add(place);
  // The query library reports what has started by a timer of its own, which runs before this one.
  setTimeout(() => pressed.delete(place));
  run();
}

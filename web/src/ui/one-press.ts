let pressed: object | null = null;

/**
 * Lets one press through. Until the work that it starts is rendered as busy, a second press may come: a
 * double click on a busy machine, or Enter pressed twice. That press does nothing.
 *
 * @param place what is pressed: the button or the form
 */
export function onePress(place: object, run: () => void): void {
  if (pressed === place) return;
  pressed = place;
  // The query library reports what has started by a timer of its own, which runs before this one.
  setTimeout(() => (pressed = null));
  run();
}

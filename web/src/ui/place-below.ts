/**
 * Puts an open popover below its button, or above it where there is no room, and inside the window.
 *
 * @param align which of its dependencies stands at that of the button
 */
export function placeBelow(popover: HTMLElement, button: HTMLElement, align: 'start' | 'end'): void {
  const from = button.getBoundingClientRect();
  const below = from.bottom + 6;
  const fits = below + popover.offsetHeight <= window.innerHeight - 8;
  const top = fits ? below : Math.max(8, from.top - 6 - popover.offsetHeight);
  const left = align === 'end' ? from.right - popover.offsetWidth : from.left;
  popover.style.top = `${top}px`;
  popover.style.left = `${Math.max(8, Math.min(left, window.innerWidth - popover.offsetWidth - 8))}px`;
}

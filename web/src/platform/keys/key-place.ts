const ownKeys = [
  'input:not([type=checkbox], [type=radio])',
  'textarea',
  'select',
  '[contenteditable]:not([contenteditable=false])',
  '[role=menu]',
  '[role=listbox]',
].join();

/** Whether an element handles letters itself: a field, a menu, a list of choices. */
export function takesLetters(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(ownKeys) !== null;
}

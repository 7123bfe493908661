import { type KeyboardEvent, type PointerEvent, type RefObject, useState } from 'react';

/** The events of the handle that moves a card, and in `state` the place of the card during a drag. */
export type Drag = {
  state: 'dragged' | 'before' | 'after' | undefined;
  handle: {
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
    onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    onPointerUp: () => void;
    onPointerCancel: () => void;
  };
};

/**
 * Moves the cards of a list by their handles: with mouse, pen and finger, where a line shows the place and Escape
 * cancels, and with the arrow keys, Home and End.
 */
export function useDrag(
  list: RefObject<HTMLElement | null>,
  move: (from: number, to: number) => void,
): (index: number) => Drag {
  const [dragged, setDragged] = useState<{ from: number; to: number } | null>(null);
  const cards = () => [...(list.current?.children ?? [])];
  const stateOf = (index: number) => {
    if (dragged === null) return undefined;
    if (dragged.from === index) return 'dragged';
    if (dragged.to !== index) return undefined;
    return dragged.to < dragged.from ? 'before' : 'after';
  };
  return (index) => ({
    state: stateOf(index),
    handle: {
      onKeyDown(event) {
        if (event.key === 'Escape') setDragged(null);
        const last = cards().length - 1;
        const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: last }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        if (to >= 0 && to <= last && to !== index) move(index, to);
      },
      onPointerDown(event) {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        event.currentTarget.focus();
        setDragged({ from: index, to: index });
      },
      onPointerMove(event) {
        if (dragged === null) return;
        const above = cards().filter((card, at) => {
          const { top, height } = card.getBoundingClientRect();
          return at !== dragged.from && top + height / 2 < event.clientY;
        });
        if (above.length !== dragged.to) setDragged({ ...dragged, to: above.length });
      },
      onPointerUp() {
        if (dragged !== null && dragged.to !== dragged.from) move(dragged.from, dragged.to);
        setDragged(null);
      },
      onPointerCancel: () => setDragged(null),
    },
  });
}

import { type PointerEvent, type RefObject, useState } from 'react';

/** The handlers for a handle, and in `state` the place of its card during a drag. */
export type Drag = {
  state: 'dragged' | 'before' | 'after' | undefined;
  onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  onPointerUp: () => void;
  onPointerCancel: () => void;
};

/** Dragging by a handle, with mouse, pen and finger: a line shows where the card goes. */
export function useDrag(
  list: RefObject<HTMLElement | null>,
  move: (from: number, to: number) => void,
): (index: number) => Drag {
  const [dragged, setDragged] = useState<{ from: number; to: number } | null>(null);
  return (index) => ({
    state:
      dragged === null
        ? undefined
        : dragged.from === index
          ? 'dragged'
          : dragged.to === index && dragged.to !== dragged.from
            ? dragged.to < dragged.from
              ? 'before'
              : 'after'
            : undefined,
    onPointerDown(event) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDragged({ from: index, to: index });
    },
    onPointerMove(event) {
      if (dragged === null) return;
      const cards = [...(list.current?.children ?? [])].map((card) => card.getBoundingClientRect());
      const above = cards.filter(
        ({ top, height }, at) => at !== dragged.from && top + height / 2 < event.clientY,
      );
      if (above.length !== dragged.to) setDragged({ ...dragged, to: above.length });
    },
    onPointerUp() {
      if (dragged !== null) move(dragged.from, dragged.to);
      setDragged(null);
    },
    onPointerCancel: () => setDragged(null),
  });
}

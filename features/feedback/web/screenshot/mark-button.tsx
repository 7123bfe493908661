import type { CSSProperties, KeyboardEvent, Ref } from 'react';
import { inPercent, type Rect } from './geometry.ts';
import { endsOf, gripsOf } from './mark-shapes.ts';
import type { Mark } from './work.ts';

type MarkButtonProps = {
  button: Ref<HTMLButtonElement> | undefined;
  mark: Mark;
  /** The part of the picture that is displayed. */
  region: Rect;
  label: string;
  isSelected: boolean;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

/** A mark, as it is pressed and focused; it is drawn on the canvas below. */
export function MarkButton({ button, mark, region, label, isSelected, ...on }: MarkButtonProps) {
  return (
    <button
      ref={button}
      type="button"
      className="shot-mark"
      aria-label={label}
      aria-pressed={isSelected}
      data-mark={mark.id}
      data-kind={mark.kind}
      style={mark.kind === 'arrow' ? alongArrow(mark, region) : placeOf(mark, region)}
      {...on}
    >
      {isSelected
        ? gripsOf(mark).map(({ x, y }, index) => (
            <span
              key={`${x} ${y}`}
              className="shot-grip"
              data-grip={index}
              data-x={x}
              data-y={y}
              data-end={mark.kind === 'arrow' ? (index === 0 ? 'tail' : 'tip') : undefined}
            />
          ))
        : null}
    </button>
  );
}

function placeOf(mark: Rect, region: Rect): CSSProperties {
  const { x, y, width, height } = inPercent(mark, region);
  return { left: `${x}%`, top: `${y}%`, width: `${width}%`, height: `${height}%` };
}

/** A band along the arrow, so that what lies beside it in its rectangle can be pressed. */
function alongArrow(mark: Mark & { kind: 'arrow' }, region: Rect): CSSProperties {
  const { tail, tip } = endsOf(mark);
  const { x, y } = inPercent({ ...tail, width: 0, height: 0 }, region);
  const length = Math.hypot(tip.x - tail.x, tip.y - tail.y);
  const turn = Math.atan2(tip.y - tail.y, tip.x - tail.x);
  return {
    left: `${x}%`,
    top: `${y}%`,
    width: `${(length / region.width) * 100}%`,
    transform: `rotate(${turn}rad)`,
  };
}

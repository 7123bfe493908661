import './face.css';

/** How many muted hues there are. */
const hues = 12;

type FaceProps = {
  /** The initials. */
  letters: string;
  /** The text that decides the hue: the displayed name, so that a person has the same hue everywhere. */
  of: string;
  size?: 'small' | 'normal' | 'large';
};

/**
 * The initials of a person on a muted hue, as a decoration next to the name. CSS draws the initials, so that only
 * the name is read out and copied.
 */
export function Face({ letters, of, size = 'normal' }: FaceProps) {
  return (
    <span
      className={size === 'normal' ? 'face' : `face face-${size}`}
      style={{ '--hue': hueOf(of) } as object}
      data-text={letters}
      aria-hidden="true"
    />
  );
}

/** One of the hues, always the same for a text. */
export function hueOf(text: string): number {
  let hash = 0;
  for (const letter of text) hash = (Math.imul(hash, 37) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash % hues;
}

import './face.css';

/** How many muted hues there are. */
const hues = 6;

type FaceProps = {
  /** The letters in it. */
  letters: string;
  /** What decides its hue: the displayed name, so that a person has the same one everywhere. */
  of: string;
  size?: 'small' | 'normal' | 'large';
};

/**
 * The initials of a person on a muted hue of their own; a decoration next to their name, drawn by CSS, so that
 * what is read out and copied is the name alone.
 */
export function Face({ letters, of, size = 'normal' }: FaceProps) {
  return (
    <span
      className={size === 'normal' ? 'face' : `face face-${size}`}
      data-hue={hueOf(of)}
      data-text={letters}
      aria-hidden="true"
    />
  );
}

/** One of six hues, always the same for a text. */
export function hueOf(text: string): number {
  let hash = 0;
  for (const letter of text) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash % hues;
}

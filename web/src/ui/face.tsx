import './face.css';

/** How many muted hues there are. */
const hues = 6;

type FaceProps = {
  /** The letters in it. */
  letters: string;
  /** What decides its hue: the same for the same person everywhere. */
  of: string;
};

/** The initials of a person on a muted hue of their own. The name stands beside it. */
export function Face({ letters, of }: FaceProps) {
  return (
    <span className="face" data-hue={hueOf(of)} aria-hidden="true">
      {letters}
    </span>
  );
}

function hueOf(text: string): number {
  let hash = 0;
  for (const letter of text) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash % hues;
}

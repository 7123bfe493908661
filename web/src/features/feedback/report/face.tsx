import { initials } from '../../../platform/initials.ts';
import './face.css';

const hues = 6;

/** One of six quiet colours, always the same for a text. */
export function hueOf(text: string): number {
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return (sum % hues) + 1;
}

/**
 * The initials of a person on a quiet colour of their own; a decoration beside their name, drawn by CSS, so
 * that a screen reader reads the name alone.
 *
 * @param name null: a person without a name
 */
export function Face({ name, small = false }: { name: string | null; small?: boolean }) {
  return (
    <span
      className={small ? 'face face-small' : 'face'}
      data-hue={name === null ? undefined : hueOf(name)}
      data-text={name === null ? '?' : initials(name)}
      aria-hidden="true"
    />
  );
}

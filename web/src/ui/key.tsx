import './key.css';

/** A key of the keyboard, by what is written on it. */
export function Key({ name }: { name: string }) {
  return <kbd className="key">{name}</kbd>;
}

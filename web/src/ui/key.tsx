import './key.css';

/** A key of the keyboard; `name` is the text on the key. */
export function Key({ name }: { name: string }) {
  return <kbd className="key">{name}</kbd>;
}

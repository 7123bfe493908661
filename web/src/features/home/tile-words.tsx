/** The words of a tile. */
export function TileWords({ title, text }: { title: string; text: string | null }) {
  return (
    <span className="home-words" dir="auto">
      <strong>{title}</strong>
      {text === null ? null : <small>{text}</small>}
    </span>
  );
}

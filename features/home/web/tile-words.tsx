/** The words of a tile. */
export function TileWords({ title, text }: { title: string; text: string | null }) {
  return (
    <span className="home-words" dir="auto">
      <strong dir="auto">{title}</strong>
      {text === null ? null : <small dir="auto">{text}</small>}
    </span>
  );
}

type NameListProps = { id: string; names: readonly string[] };

/** Names that a text field offers by its `list`; any other may be typed. */
export function NameList({ id, names }: NameListProps) {
  return (
    <datalist id={id}>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </datalist>
  );
}

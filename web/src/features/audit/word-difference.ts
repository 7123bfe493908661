/** A stretch of text that stayed, went or came. */
export type Stretch = { kind: 'same' | 'gone' | 'new'; text: string };

/** Beyond this many comparisons a text counts as written anew: nobody reads such a difference word by word. */
const mostComparisons = 400_000;

/** What has become of a text, word by word. Same and gone together are the old text, same and new the new one. */
export function wordDifference(before: string, after: string): Stretch[] {
  const old = tokens(before);
  const young = tokens(after);
  let head = 0;
  while (head < old.length && head < young.length && old[head] === young[head]) head += 1;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < young.length - head &&
    old[old.length - 1 - tail] === young[young.length - 1 - tail]
  )
    tail += 1;
  return merged([
    { kind: 'same', text: old.slice(0, head).join('') },
    ...middle(old.slice(head, old.length - tail), young.slice(head, young.length - tail)),
    { kind: 'same', text: old.slice(old.length - tail).join('') },
  ]);
}

/** Words, spaces and single signs. */
function tokens(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

/** The longest common sequence of words stays. */
function middle(old: readonly string[], young: readonly string[]): Stretch[] {
  const rewritten: Stretch[] = [
    { kind: 'gone', text: old.join('') },
    { kind: 'new', text: young.join('') },
  ];
  if (old.length === 0 || young.length === 0 || old.length * young.length > mostComparisons) return rewritten;
  const width = young.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = young.length - 1; column >= 0; column -= 1) {
      common[row * width + column] =
        old[row] === young[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const found: Stretch[] = [];
  let row = 0;
  let column = 0;
  while (row < old.length && column < young.length) {
    const [gone = '', came = ''] = [old[row], young[column]];
    if (gone === came) {
      found.push({ kind: 'same', text: gone });
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      found.push({ kind: 'gone', text: gone });
      row += 1;
    } else {
      found.push({ kind: 'new', text: came });
      column += 1;
    }
  }
  return [
    ...found,
    { kind: 'gone', text: old.slice(row).join('') },
    { kind: 'new', text: young.slice(column).join('') },
  ];
}

function merged(stretches: readonly Stretch[]): Stretch[] {
  const result: Stretch[] = [];
  for (const stretch of stretches) {
    const last = result.at(-1);
    if (stretch.text === '') continue;
    if (last?.kind === stretch.kind) last.text += stretch.text;
    else result.push({ ...stretch });
  }
  return result;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Of the outermost object; of one of its members, so that a large one leaves room for the others; of all. */
const most = { levels: 40, names: 200, ofMember: 4_000, all: 20_000 };

/**
 * A JSON text without what is too much of it: deeper values become `null`, and lists and objects end where they
 * have too many entries. In one pass, without recursion; whether the rest is JSON is the parser's question.
 *
 * @returns null where a list or an object does not end, or is not the whole text
 */
export function prunedJson(text: string): string | null {
  let kept = '';
  let copied = 0;
  let level = 0;
  let names = 0;
  let ofMember = 0;
  let all = 0;

  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const opens = unit === openList || unit === openObject;
    if (unit === quote) at = endOfString(text, at);
    else if (unit === closeList || unit === closeObject) level -= 1;
    else if (opens || unit === comma) {
      if (unit === comma && level === 1) {
        names += 1;
        ofMember = 0;
      }
      all += 1;
      ofMember += 1;
      if (level === 0 && !opens) return null;
      const isTooMuch =
        level === 0
          ? false
          : level === 1 && !opens
            ? names >= most.names
            : ofMember > most.ofMember || all > most.all;
      if (!isTooMuch && !(opens && level >= most.levels)) {
        level += opens ? 1 : 0;
        continue;
      }
      // A value is left out with its end, the rest of a list or an object without.
      const end = endOfContainer(text, at + 1);
      if (end < 0) return null;
      kept += text.slice(copied, at) + (opens ? 'null' : '');
      copied = opens ? end + 1 : end;
      at = copied - 1;
    }
  }
  return kept + text.slice(copied);
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

/** Where the list or object ends in which a place is; -1 where it does not. */
function endOfContainer(text: string, inside: number): number {
  let level = 1;
  for (let at = inside; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === quote) at = endOfString(text, at);
    else if (unit === openList || unit === openObject) level += 1;
    else if (unit === closeList || unit === closeObject) {
      level -= 1;
      if (level === 0) return at;
    }
  }
  return -1;
}

/** Characters that are read at a time: many short texts are less work for the memory than one long text. */
const pieceSigns = 65_536;

const minus = 0x2d;
const underscore = 0x5f;
const equals = 0x3d;

/**
 * The bytes that padded base64 stands for (RFC 4648, 4), or null where the text is not base64. They are written
 * over the text itself: fresh memory for a picture costs more than reading it.
 *
 * Node's decoder skips unknown characters: then there are fewer bytes than there should be. It also accepts the
 * other alphabet, and bits in the last character that mean nothing; both are refused here.
 *
 * @param signs the text as bytes, which are overwritten
 */
export function unpackBase64(signs: Buffer): Buffer | null {
  const { length } = signs;
  if (length % 4 !== 0) return null;
  const padding = signs[length - 2] === equals ? 2 : signs[length - 1] === equals ? 1 : 0;
  const lastSigns = signs.toString('latin1', Math.max(0, length - 4));
  const bytes = signs.subarray(0, (length / 4) * 3 - padding);
  let written = 0;
  for (let start = 0; start < length; start += pieceSigns) {
    const part = signs.subarray(start, start + pieceSigns);
    if (part.includes(minus) || part.includes(underscore)) return null;
    // The output never reaches what is read next: three bytes are written for four characters.
    const piece = part.toString('latin1');
    written += bytes.write(piece, written, 'base64');
  }
  const end = bytes.subarray(Math.max(0, bytes.length - 3 + padding)).toString('base64');
  return written === bytes.length && end === lastSigns ? bytes : null;
}

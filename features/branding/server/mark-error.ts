/** Why a file is no mark; the web has words for each. */
export type MarkMistake = 'broken' | 'type' | 'too_big';

/** The file cannot be a mark; the message goes on after “the file”. */
export class MarkError extends Error {
  readonly mistake: MarkMistake;

  constructor(mistake: MarkMistake, what: string) {
    super(what);
    this.name = 'MarkError';
    this.mistake = mistake;
  }
}

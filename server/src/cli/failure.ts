/** The command line was wrong: exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Something that a person can understand and act on: exit code 1, its message alone. */
export class Failure extends Error {
  /**
   * What `--json` prints in addition to the message: a code that stays the same, and what a script needs to go on.
   */
  readonly details: { code: string; [name: string]: unknown };
  /** Lines printed below the message in text output; in JSON they are among the details. */
  readonly lines: readonly string[];

  constructor(
    message: string,
    details: Failure['details'] = { code: 'FAILED' },
    lines: readonly string[] = [],
  ) {
    super(message);
    this.name = 'Failure';
    this.details = details;
    this.lines = lines;
  }
}

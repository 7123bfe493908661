import type { IntakeRefusal } from '#features/diagnostics/contract/intake.ts';

const statuses: Record<IntakeRefusal, number> = {
  KEY_REFUSED: 403,
  SIGN_IN_NEEDED: 403,
  BAD_ENVELOPE: 400,
  BAD_ENCODING: 400,
  TOO_LARGE: 413,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
};

/** Why an envelope or a part of it is refused, in the words that its sender's SDK logs. */
export class IntakeProblem extends Error {
  readonly code: IntakeRefusal;
  readonly status: number;

  constructor(code: IntakeRefusal, reason: string) {
    super(reason);
    this.name = 'IntakeProblem';
    this.code = code;
    this.status = statuses[code];
  }
}

/** The refusal by a limit. It is not thrown, since a flood causes thousands a second. */
export const refusedByLimit = {
  code: 'RATE_LIMITED',
  status: statuses.RATE_LIMITED,
  message: 'Too many of these; the header says for how long.',
} as const satisfies Pick<IntakeProblem, 'code' | 'status' | 'message'>;

/** @param reason begins in lower case: `an item is cut off` */
export function badEnvelope(reason: string): IntakeProblem {
  return new IntakeProblem('BAD_ENVELOPE', `The envelope cannot be read: ${reason}.`);
}

/** Why an automatic backup failed; the screen has a text for each reason. */
export type BackupReason = 'folder' | 'denied' | 'full' | 'passphrase' | 'interrupted' | 'other';

/** An error of an operation on a backup, with a message of one line that a person can act on. */
export class BackupError extends Error {
  readonly reason: BackupReason;
  constructor(
    message: string,
    { reason = 'other', ...options }: ErrorOptions & { reason?: BackupReason } = {},
  ) {
    super(message, options);
    this.name = 'BackupError';
    this.reason = reason;
  }
}

/** Converts an error for another thread, on the way to which it would lose its class. */
export function failureOf(error: unknown): {
  reason: BackupReason;
  message: string;
  expected: boolean;
} {
  const { reason = 'other', message = String(error) } = error as Partial<BackupError>;
  return { reason, message, expected: error instanceof BackupError };
}

/** Converts a failure of the disk into a BackupError; returns any other error as it is. */
export function diskFailure(error: unknown, where: string): unknown {
  const { code, message = '' } = error as { code?: string; message?: string };
  if (code === 'ENOSPC' || code === 'EDQUOT' || /database or disk is full/.test(message))
    return new BackupError(`There is no room left in ${where}. What was written of it is removed.`, {
      reason: 'full',
      cause: error,
    });
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new BackupError(`${where} may not be written to (${code}).`, { reason: 'denied', cause: error });
  return error;
}

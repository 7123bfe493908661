/** Why something with a backup cannot be done, in a line that a person can act on. */
export class BackupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BackupError';
  }
}

/** The same failure in such a line where it is one of the disk; any other as it is. */
export function diskFailure(error: unknown, where: string): unknown {
  const { code, message = '' } = error as { code?: string; message?: string };
  if (code === 'ENOSPC' || code === 'EDQUOT' || /database or disk is full/.test(message))
    return new BackupError(`There is no room left in ${where}. What was written of it is removed.`, {
      cause: error,
    });
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new BackupError(`${where} may not be written to (${code}).`, { cause: error });
  return error;
}

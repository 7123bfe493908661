import { errorChain, type ChainedError } from '../log/logger.ts';

/**
 * The database or the disk fails for now: unreachable, silent, full or read-only. The request can be repeated
 * later; `serve` answers it with 503 UNAVAILABLE.
 */
export class StorageFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageFailure';
  }
}

/** Whether an error, or what caused it, is the storage's and not the program's. */
export function isStorageFailure(error: unknown): boolean {
  return errorChain(error).some((link) => link instanceof StorageFailure || isCodeOf(link, unavailable));
}

/**
 * For the `catch` of a check whose refusal means "no": answers null, but throws storage failures on.
 *
 * @throws the error where it is the storage's
 */
export function nullUnlessStorageFailed(error: unknown): null {
  if (isStorageFailure(error)) throw error;
  return null;
}

/** Whether the disk or the database is full: what is stored can be read, and nothing can be added. */
export function isFull(error: unknown): boolean {
  return errorChain(error).some((link) => isCodeOf(link, full));
}

type Codes = {
  sqlite: ReadonlySet<number>;
  files: ReadonlySet<string>;
  denied: ReadonlySet<string>;
  postgres: RegExp;
};

/** SQLite's primary result codes (sqlite.org/rescode.html), Node's file errors, PostgreSQL's SQLSTATE. */
const full: Codes = {
  /** FULL */
  sqlite: new Set([13]),
  files: new Set(['ENOSPC', 'EDQUOT']),
  denied: new Set(),
  /** disk_full */
  postgres: /^53100$/,
};
const unavailable: Codes = {
  /** PERM, BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL */
  sqlite: new Set([3, 5, 6, 8, 10, 13, 14, 15]),
  files: new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO', 'EMFILE', 'ENFILE']),
  /** Of a file: it has another owner, or is immutable. Of a connection it means something else. */
  denied: new Set(['EACCES', 'EPERM']),
  /**
   * Connection lost, out of resources, an operator's or a standby's refusal, a statement or an idle
   * transaction that took too long, read-only, no right to write, an error of the disk below.
   */
  postgres: /^(08...|53...|57P..|57014|25006|25P03|25P04|42501|55P03|58030)$/,
};

/** What Node names as `syscall` in errors of files and folders. */
const fileCalls = new Set(
  'access chmod close copyfile fdatasync fstat fsync ftruncate futime link lstat mkdir mkdtemp open opendir read readlink realpath rename rm rmdir scandir stat statfs symlink truncate unlink utime write'.split(
    ' ',
  ),
);

function isCodeOf(link: ChainedError, codes: Codes): boolean {
  const { code, errcode, syscall } = link;
  if (code === 'ERR_SQLITE_ERROR') return typeof errcode === 'number' && codes.sqlite.has(errcode & 0xff);
  if (typeof code !== 'string') return false;
  if (codes.files.has(code)) return true;
  if (codes.denied.has(code)) return typeof syscall === 'string' && fileCalls.has(syscall);
  return link['severity'] !== undefined && codes.postgres.test(code);
}

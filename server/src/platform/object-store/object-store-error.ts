/** What went wrong at an object store, for code that decides what to do next. */
export type ObjectStoreProblem =
  /** No connection, or the store answers that it cannot serve now (5xx, 429). */
  | 'UNREACHABLE'
  /** Nothing was sent or received for as long as the timeout. */
  | 'TIMEOUT'
  /** The credentials do not allow it (401, 403). */
  | 'REFUSED'
  | 'NO_BUCKET'
  | 'NOT_FOUND'
  /** The address answers with a redirect, which is not followed: the request is signed for that address alone. */
  | 'REDIRECTED'
  /** What answers is not an S3-compatible store, or not the expected part of one. */
  | 'WRONG_ANSWER'
  /** The bytes are others than those that were written. */
  | 'CHANGED'
  /** Any other refusal of the store. */
  | 'FAILED';

/** Neither its message nor its cause has credentials, signatures or what the store wrote about a request. */
export class ObjectStoreError extends Error {
  readonly code: ObjectStoreProblem;

  constructor(code: ObjectStoreProblem, message: string) {
    super(message);
    this.name = 'ObjectStoreError';
    this.code = code;
  }
}

/** What `work` answers; null where there is no such object. */
export async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ObjectStoreError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

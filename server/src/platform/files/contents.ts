import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** Bytes that are stored: SHA-256 in hexadecimal, and how many they are. */
export type StoredContent = { hash: string; size: number };

/**
 * How many unnamed contents a sweep left alone, since they may be of rows that an older database does not
 * know; of how many contents.
 */
export type Swept = { held: number; contents: number };

/** Received bytes in a temporary file, before they are stored. */
export type Received = StoredContent & { path: string; handle: FileHandle };

/** Where an engine keeps contents. */
export type Contents = {
  /**
   * Puts a temporary file on disk, where it is one that stays; what is to be done meanwhile begins with that.
   */
  settle(handle: FileHandle, meanwhile?: () => Promise<void>): Promise<void>;
  /** Stores what has been received; answers whether its temporary file has become the stored one. */
  keep(received: Received): Promise<boolean>;
  read(content: StoredContent): Promise<Readable>;
  sweep(before: number): Promise<Swept>;
  count(): Promise<Swept>;
  close(): Promise<void>;
};

import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Writer } from '../database/database.ts';

/** Bytes that are stored: SHA-256 in hexadecimal, and how many they are. */
export type StoredContent = { hash: string; size: number };

/** `held`: unnamed contents that a sweep left, as an older database may not know their rows; `contents`: all. */
export type Swept = { held: number; contents: number };

/** Received bytes in a temporary file, before they are stored. */
export type Received = StoredContent & { path: string; handle: FileHandle };

/** Where contents are stored: in a folder, in rows of the database, or in an object store. */
export type Contents = {
  /** Syncs a temporary file, where it is the one that stays, and does the other work at the same time. */
  settle(handle: FileHandle, meanwhile?: () => Promise<void>): Promise<void>;
  /**
   * Stores what has been received; answers whether its temporary file has become the stored one.
   *
   * @param later with an object store: whether it is enough that the content is in this installation
   */
  keep(received: Received, later: boolean): Promise<boolean>;
  /** Null where the content is missing. */
  read(content: StoredContent): Promise<Readable | null>;
  sweep(before: number): Promise<Swept>;
  count(): Promise<Swept>;
  close(): Promise<void>;
};

/** Contents in the installation itself, from which they can be moved to an object store. */
export type LocalContents = Contents & { remove(tx: Writer, hash: string): Promise<void> };

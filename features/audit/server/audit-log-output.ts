import { constants } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import type { LogOutput } from '#server/platform/log/log-output.ts';

/** Where the lines of the audit go. */
export type AuditLogOutput = {
  /** Writes lines, each with its line end; resolves once they are written for good. */
  write(lines: string): Promise<void>;
  close(): Promise<void>;
};

const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDWR } = constants;
/** `a+`: a named pipe without a reader fails, rather than blocking a thread and the end of the process. */
const appending = O_APPEND | O_CREAT | O_NONBLOCK | O_RDWR;

/**
 * Writes the lines into the server's log, in order, whole and never dropped; `"type":"audit"` distinguishes them.
 */
export function toLog(log: LogOutput): AuditLogOutput {
  return { write: log.writeAll, close: () => Promise.resolve() };
}

/**
 * Appends to a file, on disk before `write` resolves. Before each write it checks whether the file at that
 * path is still the open one: log rotation may rename or remove it without notifying the server.
 */
export function toFile(path: string): AuditLogOutput {
  let held: { file: FileHandle; ino: number; dev: number } | null = null;

  async function opened(): Promise<FileHandle> {
    const there = await stat(path).catch(() => null);
    if (held !== null && there !== null && held.ino === there.ino && held.dev === there.dev) return held.file;
    await close();
    const file = await open(path, appending, 0o640);
    try {
      const { ino, dev, size } = await file.stat();
      // A line that was cut short, by a full disk or a kill, is sent again; it must not run into what
      // follows.
      if (size > 0 && !(await endsWithLine(file, size))) await file.appendFile('\n');
      held = { file, ino, dev };
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async function close(): Promise<void> {
    const { file } = held ?? {};
    held = null;
    await file?.close().catch(() => undefined);
  }

  return {
    async write(lines) {
      const file = await opened();
      try {
        await file.appendFile(lines);
        // Pipes and the like have nothing to sync.
        if ((await file.stat()).isFile()) await file.datasync();
      } catch (error) {
        await close();
        throw error;
      }
    },
    close,
  };
}

async function endsWithLine(file: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === 0x0a;
}

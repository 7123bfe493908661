import { getFile } from '#features/files/contract/files.ts';
import type { Api } from '../calls/call.ts';
import type { Clock } from '../time/clock.ts';
import type { ErrorRecord } from '../record-error.ts';
import { createSignal, type Readable, type Signal, watch } from '../state/store.ts';
import type { TabPresence } from '../tabs/tab-presence.ts';

/** The state of a file; `address` is a `blob:` address once it is loaded. */
export type FileAddress =
  | { readonly status: 'none' | 'pending' | 'error'; readonly address: null }
  | { readonly status: 'ready'; readonly address: string };

export type FileAddresses = {
  /** A subscriber holds the file; a file without subscribers is released. */
  of(fileId: string): Readable<FileAddress>;
  /** Loads a file again after a failure. */
  retry(fileId: string): void;
};

export type FileAddressDependencies = {
  api: Pick<Api, 'download'>;
  clock: Clock;
  /** The id of the signed-in person, or null. */
  person: Readable<string | null>;
  presence: Pick<TabPresence, 'onReturn'>;
  errors: ErrorRecord;
  urls: Pick<typeof URL, 'createObjectURL' | 'revokeObjectURL'>;
  /** While true no file is released: all browsers will show their files again at the same time. */
  isPaused: () => boolean;
};

export const noFile: FileAddress = { status: 'none', address: null };
const pending: FileAddress = { status: 'pending', address: null };
const failed: FileAddress = { status: 'error', address: null };

/** A file without subscribers is released after this time, so that a reopened screen shows it at once. */
const releaseDelay = 5_000;

/**
 * Types that may be opened as a page under our origin. Everything else, such as an SVG with its scripts, can
 * only be saved.
 */
const harmless = /^(?:image\/(?:png|jpeg|gif|webp|avif)|text\/plain|application\/octet-stream)(?:;|$)/;

type Held = {
  state: FileAddress;
  holders: number;
  changed: Signal;
  loading: AbortController | null;
  cancelDrop: () => void;
};

/**
 * Holds the shown files. Each file is loaded once with the bearer token, however often it is shown, and is released
 * when the session ends. No address contains the token.
 */
export function createFileAddresses(dependencies: FileAddressDependencies): FileAddresses {
  const { api, clock, person, presence, errors, urls } = dependencies;
  const files = new Map<string, Held>();

  function show(file: Held, state: FileAddress): void {
    if (file.state.address !== null) urls.revokeObjectURL(file.state.address);
    file.state = state;
    file.changed.publish();
  }

  function forget(file: Held): void {
    file.loading?.abort();
    file.loading = null;
    show(file, pending);
  }

  async function load(fileId: string, file: Held): Promise<void> {
    if (person.get() === null || file.loading !== null || file.state.status === 'ready') return;
    const control = new AbortController();
    const { signal } = control;
    file.loading = control;
    if (file.state.status !== 'pending') show(file, pending);
    try {
      const bytes = await api.download(getFile, { params: { fileId } }, { signal });
      if (signal.aborted) return;
      file.loading = null;
      const shown = harmless.test(bytes.type)
        ? bytes
        : new Blob([bytes], { type: 'application/octet-stream' });
      show(file, { status: 'ready', address: urls.createObjectURL(shown) });
    } catch (error) {
      if (signal.aborted) return;
      file.loading = null;
      errors.record('files.load', error);
      show(file, failed);
    }
  }

  function hold(fileId: string, listener: () => void): () => void {
    const file: Held = files.get(fileId) ?? {
      state: pending,
      holders: 0,
      changed: createSignal(),
      loading: null,
      cancelDrop: () => {},
    };
    files.set(fileId, file);
    file.cancelDrop();
    file.holders += 1;
    const stop = file.changed.subscribe(listener);
    void load(fileId, file);
    return () => {
      stop();
      file.holders -= 1;
      if (file.holders > 0) return;
      dropAfterwards(fileId, file);
    };
  }

  function dropAfterwards(fileId: string, file: Held): void {
    file.cancelDrop = clock.after(releaseDelay, () => {
      if (dependencies.isPaused()) {
        dropAfterwards(fileId, file);
        return;
      }
      forget(file);
      files.delete(fileId);
    });
  }

  function loadAgain(): void {
    for (const [fileId, file] of files) if (file.holders > 0) void load(fileId, file);
  }

  watch(person, (id) => {
    for (const file of files.values()) forget(file);
    if (id !== null) loadAgain();
  });
  presence.onReturn(loadAgain);

  return {
    of: (fileId) => ({
      get: () => files.get(fileId)?.state ?? pending,
      subscribe: (listener) => hold(fileId, listener),
    }),
    retry(fileId) {
      const file = files.get(fileId);
      if (file !== undefined) void load(fileId, file);
    },
  };
}

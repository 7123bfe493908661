import type { Channel, OpenChannel } from '../platform/tabs/broadcast.ts';
import type { CountedLocks } from '../platform/tabs/open-tabs.ts';
import { createSignal, createStore, type Store } from '../platform/state/store.ts';
import type { TabPresence } from '../platform/tabs/tab-presence.ts';
import type { TabMemory } from '../platform/tabs/tab-memory.ts';

/**
 * One browser with several tabs: they share locks and channels, each has its own presence and session
 * storage.
 */
export type Browser = { openTab(options?: { visible?: boolean }): Tab };

export type Tab = {
  locks: CountedLocks;
  openChannel: OpenChannel;
  presence: TabPresence & { visible: Store<boolean> };
  memory: TabMemory;
  /** The person returns to the tab. */
  show(): void;
  hide(): void;
  /** The tab closes or crashes: its locks become free and it receives nothing more. */
  close(): void;
  /** The tab stops running: it holds its locks, sends nothing, and messages to it wait. */
  freeze(): void;
  thaw(): void;
};

type Request = { tab: object; mode: LockMode; run: () => void; drop: (error: DOMException) => void };

export function createBrowser(): Browser {
  const held = new Map<string, Request>();
  const queues = new Map<string, Request[]>();
  const channels = new Set<{ name: string; tab: object; receive: (data: unknown) => void }>();

  const next = (name: string) => {
    if (held.has(name)) return;
    const request = queues.get(name)?.shift();
    if (request === undefined) return;
    held.set(name, request);
    queueMicrotask(request.run);
  };

  return {
    openTab({ visible = true } = {}) {
      const tab = {};
      const shown = createStore(visible);
      const returned = createSignal();
      let open = true;
      let frozen: (() => void)[] | null = null;
      const deliver = (work: () => void) => {
        if (frozen !== null) frozen.push(work);
        else if (open) work();
      };

      const request = (name: string, options: LockOptions, callback: (lock: Lock | null) => unknown) =>
        new Promise<unknown>((resolve, reject) => {
          const entry: Request = {
            tab,
            mode: options.mode ?? 'exclusive',
            drop: (error) => deliver(() => reject(error)),
            run: () => {
              if (held.get(name) !== entry) return;
              deliver(() => {
                Promise.resolve(callback({ name, mode: 'exclusive' }))
                  .finally(() => {
                    if (held.get(name) !== entry) return;
                    held.delete(name);
                    next(name);
                  })
                  .then(resolve, reject);
              });
            },
          };
          const queue = queues.get(name) ?? [];
          queues.set(name, queue);
          if (options.steal === true) {
            held.get(name)?.drop(new DOMException('stolen', 'AbortError'));
            held.delete(name);
            queue.unshift(entry);
          } else queue.push(entry);
          options.signal?.addEventListener('abort', () => {
            const index = queue.indexOf(entry);
            if (index < 0) return;
            queue.splice(index, 1);
            entry.drop(new DOMException('aborted', 'AbortError'));
          });
          next(name);
        });

      const openChannel: OpenChannel = (name) => {
        const listeners = new Set<(event: MessageEvent) => void>();
        const entry = {
          name,
          tab,
          receive: (data: unknown) =>
            deliver(() => listeners.forEach((listener) => listener(new MessageEvent('message', { data })))),
        };
        channels.add(entry);
        return {
          postMessage(message: unknown) {
            if (frozen !== null) return;
            const data = structuredClone(message);
            for (const other of channels) {
              if (other !== entry && other.name === name) queueMicrotask(() => other.receive(data));
            }
          },
          addEventListener: (_type: string, listener: (event: MessageEvent) => void) =>
            void listeners.add(listener),
          removeEventListener: (_type: string, listener: (event: MessageEvent) => void) =>
            void listeners.delete(listener),
          close: () => void channels.delete(entry),
        } as Channel;
      };

      return {
        locks: {
          request: (name: string, second: unknown, third?: unknown) =>
            request(
              name,
              typeof second === 'function' ? {} : (second as LockOptions),
              (third ?? second) as (lock: Lock | null) => unknown,
            ),
          query: () =>
            Promise.resolve({
              held: [...held].map(([name, { mode }]) => ({ name, mode })),
              pending: [...queues].flatMap(([name, queue]) => queue.map(({ mode }) => ({ name, mode }))),
            }),
        } as CountedLocks,
        openChannel,
        presence: { visible: shown, onReturn: returned.subscribe },
        memory: createMemory(),
        show() {
          shown.set(true);
          returned.publish();
        },
        hide: () => shown.set(false),
        close() {
          open = false;
          for (const entry of channels) if (entry.tab === tab) channels.delete(entry);
          for (const queue of queues.values()) {
            for (let index = queue.length - 1; index >= 0; index -= 1) {
              if (queue[index]?.tab === tab) queue.splice(index, 1);
            }
          }
          for (const [name, holder] of held) {
            if (holder.tab !== tab) continue;
            held.delete(name);
            next(name);
          }
        },
        freeze: () => void (frozen = []),
        thaw() {
          const waited = frozen ?? [];
          frozen = null;
          for (const work of waited) work();
        },
      };
    },
  };
}

export function createMemory(): TabMemory {
  const values = new Map<string, string>();
  return {
    read: (key) => values.get(key) ?? null,
    write: (key, value) => void (value === null ? values.delete(key) : values.set(key, value)),
  };
}

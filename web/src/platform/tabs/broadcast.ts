import { base } from '../base.ts';

/** Passes messages of one kind between the tabs of this browser. A tab does not receive its own. */
export type Broadcast<M> = {
  post(message: M): void;
  subscribe(listener: (message: M) => void): () => void;
  close(): void;
};

/** The part of a BroadcastChannel that a broadcast needs. */
export type Channel = Pick<
  BroadcastChannel,
  'postMessage' | 'addEventListener' | 'removeEventListener' | 'close'
>;

/** Opens a channel by name; browsers separate those of different origins. */
export type OpenChannel = (name: string) => Channel;

export const browserChannel: OpenChannel = (name) => new BroadcastChannel(name);

/**
 * Opens the broadcast of a topic. Another tab may run another release of this application: `read` returns
 * null for a message that it does not understand, which is ignored.
 */
export function openBroadcast<M extends object>(
  open: OpenChannel,
  topic: string,
  read: (data: Record<string, unknown>) => M | null,
): Broadcast<M> {
  const channel = open(`portico${base}:${topic}`);
  return {
    post: channel.postMessage.bind(channel),
    subscribe(listener) {
      const receive = ({ data }: MessageEvent<unknown>) => {
        const message =
          typeof data === 'object' && data !== null ? read(data as Record<string, unknown>) : null;
        if (message !== null) listener(message);
      };
      channel.addEventListener('message', receive);
      return () => channel.removeEventListener('message', receive);
    },
    close: () => channel.close(),
  };
}

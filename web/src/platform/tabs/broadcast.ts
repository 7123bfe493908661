import type * as z from 'zod/mini';
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
 * Opens the broadcast of a topic. Another tab may run another release of this application: a message that is
 * not as `schema` says is ignored.
 */
export function openBroadcast<M>(open: OpenChannel, topic: string, schema: z.ZodMiniType<M>): Broadcast<M> {
  const channel = open(`portico${base}:${topic}`);
  return {
    post: channel.postMessage.bind(channel),
    subscribe(listener) {
      const receive = ({ data }: MessageEvent<unknown>) => {
        const read = schema.safeParse(data);
        if (read.success) listener(read.data);
      };
      channel.addEventListener('message', receive);
      return () => channel.removeEventListener('message', receive);
    },
    close: () => channel.close(),
  };
}

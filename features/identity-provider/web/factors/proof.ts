import { createStore, type Readable } from '#web/platform/state/store.ts';

export type Proof = {
  /** Whether the person is being asked. */
  asked: Readable<boolean>;
  /** Asks, once for all calls that wait; true: they have proved that it is them. */
  ask: () => Promise<boolean>;
  settle: (proved: boolean) => void;
};

/** Asks a person to prove that it is them, in the place where they are, while a call waits (SES-13). */
export function createProof(): Proof {
  const asked = createStore(false);
  let waiting = Promise.withResolvers<boolean>();
  return {
    asked,
    ask() {
      if (!asked.get()) {
        waiting = Promise.withResolvers();
        asked.set(true);
      }
      return waiting.promise;
    },
    settle(proved) {
      asked.set(false);
      waiting.resolve(proved);
    },
  };
}

import type { OpenStream } from '#server/platform/http/event-stream.ts';

/** One browser that is connected here. */
export type Connection = {
  readonly id: string;
  readonly personId: string;
  readonly sessionId: string;
  /** In the pages of an application at a host of its own. */
  readonly atOtherHost: boolean;
  /** Null until its first messages are written. */
  stream: OpenStream | null;
  /** What came for it before them. */
  held: Buffer[] | null;
  /** The last message of one that was ended before them. */
  last: Buffer | null;
};

/**
 * Open connections, by person and by session.
 *
 * @param most how many a person and a session may hold: a browser has one, and a second while one tab takes
 *   over
 */
export function createConnections(most: { ofPerson: number; ofSession: number }) {
  const all = new Set<Connection>();
  const people = new Map<string, Connection[]>();
  const sessions = new Map<string, Connection[]>();
  let joined = 0;

  return {
    /** Answers the oldest of them where there is one too many now, or null. */
    add(connection: Connection): Connection | null {
      all.add(connection);
      if (!people.has(connection.personId)) joined += 1;
      const ofPerson = put(people, connection.personId, connection);
      const ofSession = put(sessions, connection.sessionId, connection);
      const [oldest] =
        ofSession.length > most.ofSession ? ofSession : ofPerson.length > most.ofPerson ? ofPerson : [];
      return oldest ?? null;
    },
    /** False where it was removed before. */
    remove(connection: Connection): boolean {
      if (!all.delete(connection)) return false;
      take(people, connection.personId, connection);
      take(sessions, connection.sessionId, connection);
      return true;
    },
    ofPerson: (personId: string): readonly Connection[] => people.get(personId) ?? [],
    ofSession: (sessionId: string): readonly Connection[] => sessions.get(sessionId) ?? [],
    all: (): Iterable<Connection> => all,
    personIds: () => [...people.keys()],
    /** How often a person has come who had no connection here. */
    get joined() {
      return joined;
    },
    sessionIds: () => [...sessions.keys()],
    get size() {
      return all.size;
    },
  };
}

function put(index: Map<string, Connection[]>, key: string, connection: Connection): Connection[] {
  const together = [...(index.get(key) ?? []), connection];
  index.set(key, together);
  return together;
}

// A new list each time, since a loop over the old one ends connections as it goes.
function take(index: Map<string, Connection[]>, key: string, connection: Connection): void {
  const rest = index.get(key)?.filter((each) => each !== connection) ?? [];
  if (rest.length === 0) index.delete(key);
  else index.set(key, rest);
}

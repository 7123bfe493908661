import type { OpenStream } from '#server/platform/http/event-stream.ts';

/** A browser's connection to this process. */
export type Connection = {
  readonly id: string;
  readonly personId: string;
  readonly sessionId: string;
  /** The browser shows pages of an application on its own host, not Portico's pages. */
  readonly atOtherHost: boolean;
  /** Null until the first messages are written. */
  stream: OpenStream | null;
  /** Messages that wait until the first messages are written; null after that. */
  held: Buffer[] | null;
  /** The last message, if the connection was ended before the first messages were written. */
  last: Buffer | null;
};

/**
 * Open connections, by person and by session.
 *
 * @param most the largest number of connections of a person and of a session: a browser has one, and a second
 *   one while another tab takes over
 */
export function createConnections(most: { ofPerson: number; ofSession: number }) {
  const all = new Set<Connection>();
  const people = new Map<string, Connection[]>();
  const sessions = new Map<string, Connection[]>();
  let joined = 0;

  return {
    /** Answers the oldest connection of the session or person if the limit is now exceeded, otherwise null. */
    add(connection: Connection): Connection | null {
      all.add(connection);
      if (!people.has(connection.personId)) joined += 1;
      const ofPerson = put(people, connection.personId, connection);
      const ofSession = put(sessions, connection.sessionId, connection);
      const [oldest] =
        ofSession.length > most.ofSession ? ofSession : ofPerson.length > most.ofPerson ? ofPerson : [];
      return oldest ?? null;
    },
    /** Answers false if the connection was removed before. */
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
    /** How often a person without a connection to this process has connected. */
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

// Creates a new list each time, since callers end connections while they loop over the old list.
function take(index: Map<string, Connection[]>, key: string, connection: Connection): void {
  const rest = index.get(key)?.filter((each) => each !== connection) ?? [];
  if (rest.length === 0) index.delete(key);
  else index.set(key, rest);
}

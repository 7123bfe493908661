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

/** Open connections, by person and by session. */
export type Connections = {
  /** Answers the oldest of them where there is one too many now, or null. */
  add(connection: Connection): Connection | null;
  /** False where it has gone already. */
  remove(connection: Connection): boolean;
  ofPerson(personId: string): readonly Connection[];
  ofSession(sessionId: string): readonly Connection[];
  all(): Iterable<Connection>;
  personIds(): string[];
  sessionIds(): string[];
  readonly size: number;
};

/**
 * @param most how many a person and a session may hold: a browser has one, and a second while one tab takes
 *   over
 */
export function createConnections(most: { ofPerson: number; ofSession: number }): Connections {
  const all = new Set<Connection>();
  const people = new Map<string, Connection[]>();
  const sessions = new Map<string, Connection[]>();

  return {
    add(connection) {
      all.add(connection);
      const ofPerson = put(people, connection.personId, connection);
      const ofSession = put(sessions, connection.sessionId, connection);
      const [oldest] =
        ofSession.length > most.ofSession ? ofSession : ofPerson.length > most.ofPerson ? ofPerson : [];
      return oldest ?? null;
    },
    remove(connection) {
      if (!all.delete(connection)) return false;
      take(people, connection.personId, connection);
      take(sessions, connection.sessionId, connection);
      return true;
    },
    ofPerson: (personId) => people.get(personId) ?? [],
    ofSession: (sessionId) => sessions.get(sessionId) ?? [],
    all: () => all,
    personIds: () => [...people.keys()],
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

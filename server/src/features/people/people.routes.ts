import {
  getPerson,
  invitePerson,
  listPeople,
  renewInvitation,
  setBlocked,
  setRoles,
} from '@portico/contract/people';
import type { Database } from '../../platform/database.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { Serve } from '../../platform/serve.ts';
import type { Administration } from './administration.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { listPeople as readPage, readPerson } from './person-list.ts';

export type PeopleRoutesOptions = { database: Database; administration: Administration };

export function peopleRoutes(serve: Serve, { database, administration }: PeopleRoutesOptions): void {
  serve(listPeople, async ({ query }) => {
    const after = query.cursor === undefined ? null : readCursor(query.cursor);
    const { people, total, next } = await readPage(database.read, query, { after, limit: query.limit });
    return { people, total, next: next === null ? null : writeCursor(next) };
  });

  serve(getPerson, async ({ params }) => {
    const person = await readPerson(database.read, params.personId);
    if (person === null) throw new HttpProblem('NOT_FOUND', { detail: 'There is no such person.' });
    return person;
  });

  serve(invitePerson, ({ body, caller }) =>
    database.change((change) => administration.invite(change, caller, body)),
  );

  serve(renewInvitation, ({ params, caller }) =>
    database.change((change) => administration.renewInvitation(change, caller, params.personId)),
  );

  serve(setRoles, ({ params, body, caller }) =>
    database.change((change) => administration.setRoles(change, caller, params.personId, body)),
  );

  serve(setBlocked, ({ params, body, caller }) =>
    database.change((change) => administration.setBlocked(change, caller, params.personId, body)),
  );
}

import * as z from 'zod/mini';
import { id } from '#contract/text.ts';
import {
  getPerson,
  invitePerson,
  listPeople,
  renewInvitation,
  setBlocked,
  setRoles,
} from '#features/people/contract/people.ts';
import { changePeople } from '#features/people/contract/change-people.ts';
import type { MailOutcome } from '#features/identity-provider/contract/identity-provider.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import type { Change, Database } from '#server/platform/database/database.ts';
import { orNotFound } from '#server/platform/http/refusals.ts';
import { jsonCursor } from '#server/platform/http/cursor.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { SignOutPerson } from '#features/session/server/sessions-of-people.ts';
import type { Administration } from './administration.ts';
import { changeMany, type ChangePeopleParts } from './change-people.ts';
import { listPeople as readPage, readPerson, type Place } from './person-list.ts';

// A cursor goes into a query, and PostgreSQL takes no NUL in a text.
const namePlace = jsonCursor<Place>(
  z.tuple([
    z.string().check(
      z.maxLength(200),
      z.refine((text) => !text.includes('\u0000')),
    ),
    id,
  ]),
);
const timePlace = jsonCursor<Place>(
  z.tuple([z.int().check(z.nonnegative(), z.maximum(Number.MAX_SAFE_INTEGER)), id]),
);

export type PeopleRoutesOptions = {
  database: Database;
  clock: Clock;
  administration: Administration;
  /** Sends invitations by mail, where it is configured. */
  linkMail: {
    /** Written with the invitation; `mailId` is null where mail is not configured. */
    add(
      change: Change,
      personId: string,
      askedBy: string,
    ): Promise<{ mailId: string | null; mail: MailOutcome }>;
    outcome(mailId: string | null): Promise<MailOutcome>;
  };
  signOut: SignOutPerson;
  rightsOf: ChangePeopleParts['rightsOf'];
};

export function peopleRoutes(serve: Serve, options: PeopleRoutesOptions): void {
  const { database, clock, administration, linkMail } = options;
  serve(listPeople, async ({ query }) => {
    const { right, cursor, limit, order, direction, ...filter } = query;
    const place = order === 'name' ? namePlace : timePlace;
    const held = right === undefined ? {} : { right: { name: right, at: clock.now() } };
    const page = { after: place.read(cursor), limit, order, direction };
    const { people, total, next } = await readPage(database.longReads, { ...filter, ...held }, page);
    return { people, total, next: place.write(next) };
  });

  serve(getPerson, async ({ params }) =>
    orNotFound(await readPerson(database.read, params.personId), 'There is no such person.'),
  );

  serve(invitePerson, async ({ body, caller }) => {
    const { person, invitation, mailId } = await database.change(async (change) => {
      const invited = await administration.invite(change, caller, body);
      const { mail, mailId } = await linkMail.add(change, invited.person.id, caller.id);
      return {
        person: invited.person,
        invitation: invited.invitation === null ? null : { ...invited.invitation, mail },
        mailId,
      };
    });
    if (invitation === null) return { person, invitation };
    return { person, invitation: { ...invitation, mail: await linkMail.outcome(mailId) } };
  });

  serve(renewInvitation, async ({ params, caller }) => {
    const { mailId, ...invitation } = await database.change(async (change) => {
      const renewed = await administration.renewInvitation(change, caller, params.personId);
      return { ...renewed, ...(await linkMail.add(change, params.personId, caller.id)) };
    });
    return { ...invitation, mail: await linkMail.outcome(mailId) };
  });

  serve(setRoles, ({ params, body, caller }) =>
    database.change((change) => administration.setRoles(change, caller, params.personId, body)),
  );

  serve(setBlocked, ({ params, body, caller }) =>
    database.change((change) => administration.setBlocked(change, caller, params.personId, body)),
  );

  serve(changePeople, ({ body, caller }) => changeMany(options, caller, body));
}

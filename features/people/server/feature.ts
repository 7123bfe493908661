import * as z from 'zod/mini';
import { feature } from '#server/feature.ts';
import { id } from '#contract/text.ts';
import * as contract from '#features/people/contract/people.ts';
import { changePeople } from '#features/people/contract/people.ts';
import type { Core } from '#server/core.ts';
import type { Ground } from '#server/ground.ts';
import { orNotFound } from '#server/platform/http/http-problem.ts';
import { jsonCursor } from '#server/platform/http/cursor.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { changeMany } from './change-people.ts';
import { listPeople as readPage, readPerson, type Place } from './person-list.ts';

export const peopleFeature = feature({
  create: (core, ground) => ({ routes: (serve) => peopleRoutes(serve, core, ground) }),
});

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

function peopleRoutes(
  serve: Serve,
  { database, clock }: Core,
  { administration, identityProvider: { linkMails }, session, permissions }: Ground,
): void {
  serve(contract.listPeople, async ({ query }) => {
    const { right, cursor, limit, order, direction, ...filter } = query;
    const place = order === 'name' ? namePlace : timePlace;
    const held = right === undefined ? {} : { right: { name: right, at: clock.now() } };
    const page = { after: place.read(cursor), limit, order, direction };
    const { people, total, next } = await readPage(database.longReads, { ...filter, ...held }, page);
    return { people, total, next: place.write(next) };
  });

  serve(contract.getPerson, async ({ params }) =>
    orNotFound(await readPerson(database.read, params.personId), 'There is no such person.'),
  );

  serve(contract.invitePerson, async ({ body, caller }) => {
    const { person, invitation, mailId } = await database.change(async (change) => {
      const invited = await administration.invite(change, caller, body);
      const { mail, mailId } = await linkMails.add(change, invited.person.id, caller.id);
      return {
        person: invited.person,
        invitation: invited.invitation === null ? null : { ...invited.invitation, mail },
        mailId,
      };
    });
    if (invitation === null) return { person, invitation };
    return { person, invitation: { ...invitation, mail: await linkMails.outcome(mailId) } };
  });

  serve(contract.renewInvitation, async ({ params, caller }) => {
    const { mailId, ...invitation } = await database.change(async (change) => {
      const renewed = await administration.renewInvitation(change, caller, params.personId);
      return { ...renewed, ...(await linkMails.add(change, params.personId, caller.id)) };
    });
    return { ...invitation, mail: await linkMails.outcome(mailId) };
  });

  serve(contract.setRoles, ({ params, body, caller }) =>
    database.change((change) => administration.setRoles(change, caller, params.personId, body)),
  );

  serve(contract.setBlocked, ({ params, body, caller }) =>
    database.change((change) => administration.setBlocked(change, caller, params.personId, body)),
  );

  const parts = {
    database,
    administration,
    signOut: session.signOutPerson,
    rightsOf: permissions.rightsOf,
  };
  serve(changePeople, ({ body, caller }) => changeMany(parts, caller, body));
}

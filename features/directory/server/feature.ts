import { feature } from '#server/feature.ts';
import { addAuthorIds } from './authors.ts';

export const directoryFeature = feature({
  migrations: { '0047-authors': { up: addAuthorIds } },
  fates: {
    person: { own: ['id', 'issuer', 'subject', 'email', 'email_skeleton'] },
    erased_person: { 'not personal': ['pseudonym'], id: ['person_id'] },
  },
  names: {
    // A person whose erasure is running has neither name nor address, and is shown as erased.
    person: async (read, ids) => {
      const rows = await read
        .selectFrom('person')
        .innerJoin('profile', 'profile.person_id', 'person.id')
        .select(['person.id', 'person.email', 'profile.first_name', 'profile.last_name'])
        .where('person.id', 'in', ids)
        .execute();
      return rows.flatMap((row) => {
        const name = `${row.first_name} ${row.last_name}`.trim() || row.email;
        return name === '' ? [] : [[row.id, name]];
      });
    },
  },
});

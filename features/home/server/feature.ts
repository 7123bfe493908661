import { feature } from '#server/feature.ts';
import { createHome } from './home.ts';

export const homeFeature = feature({
  create: createHome,
  fates: {
    home_app: {
      'not personal': ['key', 'right_name', 'picture_id', 'picture_type'],
      'free text': [
        'name',
        'name_en',
        'name_de',
        'name_fr',
        'description',
        'description_en',
        'description_de',
        'description_fr',
        'address',
      ],
    },
    home_order: { 'not personal': ['keys'] },
  },
  names: {
    'home-app': async (read, ids) => {
      const rows = await read
        .selectFrom('home_app')
        .select(['key', 'name'])
        .where('key', 'in', ids)
        .execute();
      return rows.map((row) => [row.key, row.name]);
    },
  },
});

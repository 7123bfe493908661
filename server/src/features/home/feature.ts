import { feature } from '../../feature.ts';
import { createHome } from './home.ts';

export const homeFeature = feature({
  create: createHome,
  fates: {
    home_app: {
      key: 'not personal',
      name: 'free text',
      name_en: 'free text',
      name_de: 'free text',
      name_fr: 'free text',
      description: 'free text',
      description_en: 'free text',
      description_de: 'free text',
      description_fr: 'free text',
      address: 'free text',
      right_name: 'not personal',
      picture_id: 'not personal',
      picture_type: 'not personal',
    },
    home_order: { keys: 'not personal' },
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

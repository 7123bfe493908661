import { feature } from '../../feature.ts';

export const permissionsFeature = feature({
  create: (_core, { permissions }) => permissions,
  fates: {
    person_role: { person_id: 'own', role: 'not personal', given_by: 'name' },
    own_right: {
      right_name: 'not personal',
      area: 'free text',
      label: 'free text',
      description: 'free text',
    },
    own_role: { role: 'not personal', name: 'free text', description: 'free text' },
    own_role_right: { role: 'not personal', right_name: 'not personal' },
    person_right: {
      person_id: 'own',
      right_name: 'not personal',
      effect: 'not personal',
      reason: 'free text',
      given_by: 'name',
    },
    group_mapping: {
      id: 'not personal',
      kind: 'not personal',
      match: 'not personal',
      name: 'free text',
      created_by: 'name',
    },
    group_mapping_role: { mapping_id: 'not personal', role: 'not personal' },
  },
});

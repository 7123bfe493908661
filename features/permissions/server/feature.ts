import { feature } from '#server/feature.ts';

export const permissionsFeature = feature({
  create: (_core, { permissions }) => permissions,
  fates: {
    person_role: {
      'not personal': ['role'],
      own: ['person_id'],
      name: ['given_by'],
      id: ['given_by_id'],
    },
    own_right: { 'not personal': ['right_name'], 'free text': ['area', 'label', 'description'] },
    own_role: { 'not personal': ['role'], 'free text': ['name', 'description'] },
    own_role_right: { 'not personal': ['role', 'right_name'] },
    person_right: {
      'not personal': ['right_name', 'effect'],
      own: ['person_id'],
      name: ['given_by'],
      id: ['given_by_id'],
      'free text': ['reason'],
    },
    group_mapping: {
      'not personal': ['id', 'kind', 'match'],
      name: ['created_by'],
      id: ['created_by_id'],
      'free text': ['name'],
    },
    group_mapping_role: { 'not personal': ['mapping_id', 'role'] },
  },
});

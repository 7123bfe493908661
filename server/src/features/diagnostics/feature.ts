import { feature } from '../../feature.ts';

export const diagnosticsFeature = feature({
  create: (_core, { diagnostics }) => diagnostics,
  fates: {
    diagnostic_project: { name: 'free text', forward_to: 'not personal', created_by: 'name' },
    diagnostic_key: { key: 'not personal', created_by: 'name', revoked_by: 'name' },
    error_group: {
      id: 'not personal',
      fingerprint: 'not personal',
      kind: 'not personal',
      message: 'free text',
      place: 'not personal',
      level: 'not personal',
      status: 'not personal',
      resolved_in: 'not personal',
      first_release: 'not personal',
      last_release: 'not personal',
      search_key: 'free text',
    },
    error_event: {
      event_id: 'not personal',
      group_id: 'not personal',
      release: 'not personal',
      environment: 'not personal',
      browser: 'not personal',
      system: 'not personal',
      person_hash: 'unlinked',
    },
    error_sample: { group_id: 'not personal' },
    error_count: { group_id: 'not personal' },
    project_count: {},
    project_release: { release: 'not personal' },
    error_person: { group_id: 'own', person_hash: 'own' },
    error_facet: { group_id: 'not personal', facet: 'not personal', value: 'not personal' },
    error_alert: { group_id: 'not personal', kind: 'not personal' },
    source_map: {
      id: 'not personal',
      release: 'not personal',
      file: 'not personal',
      debug_id: 'not personal',
      file_id: 'not personal',
      created_by: 'name',
    },
    diagnostic_settings: { alert_mails: 'rewritten', changed_by: 'name' },
  },
  names: {
    error: async (read, ids) => {
      const rows = await read
        .selectFrom('error_group')
        .select(['id', 'kind', 'message'])
        .where('id', 'in', ids)
        .where('status', '!=', 'deleted')
        .execute();
      return rows.map(({ id, kind, message }) => [id, `${kind}: ${message}`.slice(0, 120)]);
    },
    'diagnostics-project': async (read, ids) => {
      const rows = await read
        .selectFrom('diagnostic_project')
        .select(['id', 'name'])
        .where('id', 'in', ids.map(Number))
        .where('removed_at', 'is', null)
        .execute();
      return rows.map(({ id, name }) => [String(id), name]);
    },
  },
});

import { feature } from '../../feature.ts';

export const feedbackFeature = feature({
  create: (_core, { feedback }) => feedback,
  fates: {
    report: {
      id: 'not personal',
      event_id: 'not personal',
      content_hash: 'rewritten',
      reporter_id: 'unlinked',
      name: 'rewritten',
      email: 'rewritten',
      message: 'rewritten',
      source: 'rewritten',
      url: 'rewritten',
      associated_event_id: 'not personal',
      tags: 'rewritten',
      context: 'rewritten',
      status: 'not personal',
      search_key: 'rewritten',
      assignee_id: 'unlinked',
      duplicate_of: 'not personal',
      tab: 'not personal',
      last_word: 'not personal',
    },
    report_history: {
      id: 'not personal',
      report_id: 'not personal',
      what: 'not personal',
      before: 'unlinked',
      after: 'unlinked',
      actor_kind: 'not personal',
      actor_id: 'unlinked',
      actor_name: 'name',
    },
    report_picture: { report_id: 'own', file_id: 'own' },
    report_message: {
      id: 'not personal',
      report_id: 'not personal',
      event_id: 'not personal',
      kind: 'not personal',
      side: 'not personal',
      text: 'rewritten',
      search_key: 'rewritten',
      author_kind: 'not personal',
      author_id: 'unlinked',
      author_name: 'name',
    },
    report_label: { report_id: 'not personal', label: 'free text', label_key: 'free text' },
    report_filter: {
      id: 'own',
      owner_id: 'own',
      name: 'free text',
      filter: 'free text',
      created_by: 'name',
    },
    report_settings: {
      notified: 'rewritten',
      language: 'not personal',
      tracker: 'free text',
      changed_by: 'name',
    },
    report_form: { changed_by: 'name' },
  },
  names: {
    report: async (read, ids) => {
      const rows = await read.selectFrom('report').select(['id', 'number']).where('id', 'in', ids).execute();
      return rows.map((row) => [row.id, `#${row.number}`]);
    },
    'report-filter': async (read, ids) => {
      const rows = await read
        .selectFrom('report_filter')
        .select(['id', 'name'])
        .where('id', 'in', ids)
        .execute();
      return rows.map((row) => [row.id, row.name]);
    },
  },
});

import { feature } from '#server/feature.ts';
import { numbersOf } from './report-parts.ts';
import { addSnooze } from './feedback.ts';

export const feedbackFeature = feature({
  migrations: { '0040-snoozed-reports': { up: addSnooze } },
  create: (_core, { feedback }) => feedback,
  fates: {
    report: {
      'not personal': ['id', 'event_id', 'associated_event_id', 'status', 'duplicate_of', 'tab', 'last_word'],
      unlinked: ['reporter_id', 'assignee_id'],
      rewritten: [
        'content_hash',
        'name',
        'email',
        'message',
        'source',
        'url',
        'tags',
        'context',
        'search_key',
      ],
    },
    report_history: {
      'not personal': ['id', 'report_id', 'what', 'actor_kind'],
      name: ['actor_name'],
      unlinked: ['before', 'after', 'actor_id'],
    },
    report_picture: { own: ['report_id', 'file_id'] },
    report_message: {
      'not personal': ['id', 'report_id', 'event_id', 'kind', 'side', 'author_kind'],
      name: ['author_name'],
      unlinked: ['author_id'],
      rewritten: ['text', 'search_key'],
    },
    report_label: { 'not personal': ['report_id'], 'free text': ['label', 'label_key'] },
    report_settings: {
      'not personal': ['language'],
      name: ['changed_by'],
      rewritten: ['notified'],
      'free text': ['tracker'],
    },
    report_form: { name: ['changed_by'] },
  },
  names: {
    report: async (read, ids) => [...(await numbersOf(read, ids))].map(([id, number]) => [id, `#${number}`]),
  },
});

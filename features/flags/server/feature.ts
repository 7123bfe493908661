import { feature, namesIn } from '#server/feature.ts';
import * as migrations from './migrations.ts';
import { removeUnread } from './sticky-buckets.store.ts';
import { removeUsage } from './usage.store.ts';

export const flagsFeature = feature({
  migrations: {
    '0051-segments': { up: migrations.segments },
    '0054-flag-usage': { up: migrations.usage },
    '0055-archive-and-encryption': { up: migrations.archiveAndEncryption },
    '0056-sticky-buckets': { up: migrations.stickyBuckets },
    '0057-flag-review': { up: migrations.review },
  },
  create: (core, { flags, overview }) => ({
    ...flags,
    sweeps: {
      ...flags.sweeps,
      'use of flags': core.sweeping(removeUsage),
      'variations of people': core.sweeping(removeUnread),
    },
    routes: (serve) => flags.routes(serve, overview.connectedSdks),
  }),
  fates: {
    flag: {
      'not personal': ['key', 'type'],
      name: ['changed_by'],
      id: ['changed_by_id'],
      'free text': ['description', 'default_value', 'rules', 'tags'],
    },
    flag_proposal: {
      'not personal': ['flag_key', 'author_kind'],
      name: ['author_name', 'reviewed_by'],
      id: ['author_id', 'owner_id', 'reviewed_by_id'],
      'free text': ['flag', 'note', 'review_note'],
    },
    flag_review: {},
    flag_usage: {
      'not personal': ['flag_key', 'client_key', 'kind'],
      'free text': ['value'],
    },
    segment: {
      'not personal': ['id', 'kind'],
      name: ['changed_by'],
      id: ['changed_by_id'],
      'free text': ['name', 'description', 'attribute'],
      rewritten: ['content'],
    },
    sticky_bucket: {
      own: ['key', 'value'],
      'not personal': ['assignments'],
    },
    client_key: {
      'not personal': ['key', 'kind', 'decryption_key'],
      name: ['created_by', 'revoked_by'],
      id: ['created_by_id', 'revoked_by_id'],
      'free text': ['name'],
    },
  },
  names: {
    segment: namesIn('segment', 'id', 'name'),
    flag: namesIn('flag', 'key', 'key'),
  },
});

import { feature } from '#server/feature.ts';
import { createErrorWork } from './error-work.ts';
import { errorsRoutes } from './errors.routes.ts';
import { projectsRoutes } from './projects.routes.ts';
import { settingsRoutes } from './settings.store.ts';
import { ownMaps } from './source-maps/apply-maps.ts';
import { sourceMapsRoutes } from './source-maps/source-maps.routes.ts';

export const diagnosticsFeature = feature({
  migrations: { '0041-error-work': { up: createErrorWork } },
  create: (core, { diagnostics, files: { store }, session, rightsOf, webDir }) => ({
    ...diagnostics,
    routes(serve) {
      const { intake, tracer, removes } = diagnostics;
      intake.routes(serve, { ...session, identify: session.identifyAtOwnHost });
      errorsRoutes(serve, {
        ...core,
        rightsOf,
        hashOf: intake.personHash,
        // The built web's own source maps explain its errors.
        maps: { store, tracer, own: ownMaps(webDir, core.config.basePath) },
        deleted: removes,
      });
      projectsRoutes(serve, core, { removed: removes });
      settingsRoutes(serve, core);
      sourceMapsRoutes(serve, core, { store, tracer });
    },
  }),
  fates: {
    diagnostic_project: {
      'not personal': ['forward_to'],
      name: ['created_by'],
      id: ['created_by_id'],
      'free text': ['name'],
    },
    diagnostic_key: {
      'not personal': ['key'],
      name: ['created_by', 'revoked_by'],
      id: ['created_by_id'],
    },
    error_group: {
      'not personal': [
        'id',
        'fingerprint',
        'kind',
        'place',
        'level',
        'status',
        'resolved_in',
        'first_release',
        'last_release',
      ],
      unlinked: ['assignee_id'],
      'free text': ['message', 'search_key'],
    },
    error_comment: {
      'not personal': ['id', 'group_id', 'author_kind'],
      name: ['author_name'],
      unlinked: ['author_id'],
      'free text': ['text'],
    },
    error_event: {
      'not personal': ['event_id', 'group_id', 'release', 'environment', 'browser', 'system'],
      unlinked: ['person_hash'],
    },
    error_sample: { 'not personal': ['group_id'] },
    error_count: { 'not personal': ['group_id'] },
    project_count: {},
    project_release: { 'not personal': ['release'] },
    error_person: { own: ['group_id', 'person_hash'] },
    error_facet: { 'not personal': ['group_id', 'facet', 'value'] },
    error_alert: { 'not personal': ['group_id', 'kind'] },
    source_map: {
      'not personal': ['id', 'release', 'file', 'debug_id', 'file_id'],
      name: ['created_by'],
      id: ['created_by_id'],
    },
    diagnostic_settings: { name: ['changed_by'], rewritten: ['alert_mails'] },
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

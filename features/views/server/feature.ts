import { addView, changeView, listViews, removeView } from '#features/views/contract/views.ts';
import { feature, namesIn } from '#server/feature.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { addLists, createView, deleteView, updateView, viewsOf } from './views.store.ts';

export const viewsFeature = feature({
  migrations: { '0043-views': { up: addLists } },
  create: ({ database }, { rightsOf }) => ({
    routes(serve) {
      const editor = async (caller: Caller) => ({ caller, rights: await rightsOf(caller) });
      serve(listViews, async ({ caller, query }) => viewsOf(database.read, await editor(caller), query.list));
      serve(addView, async ({ caller, body }) => {
        const by = await editor(caller);
        return database.change((change) => createView(change, by, body));
      });
      serve(changeView, async ({ caller, params, body }) => {
        const by = await editor(caller);
        return database.change((change) => updateView(change, by, params.viewId, body));
      });
      serve(removeView, async ({ caller, params }) => {
        const by = await editor(caller);
        await database.change((change) => deleteView(change, by, params.viewId));
      });
    },
  }),
  fates: {
    report_filter: {
      'not personal': ['list'],
      own: ['id', 'owner_id'],
      name: ['created_by'],
      'free text': ['name', 'filter'],
    },
  },
  names: {
    view: namesIn('report_filter', 'id', 'name'),
  },
});

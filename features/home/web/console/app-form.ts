import {
  addApp,
  changeApp,
  changeGatewayApp,
  listApps,
  type ManagedApp,
} from '#features/home/contract/apps.ts';
import { homeList } from '#features/home/contract/home.ts';
import type { Api } from '#web/platform/calls/call.ts';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import type { ChosenPicture } from '#web/platform/files/chosen-picture.ts';
import type { ProblemWords } from '#web/platform/forms/problems-of.ts';
import type { Creation } from '#web/platform/forms/versioned-form.ts';

/** Loaded again when an operator has changed them. */
export const appsKey = [homeList.list, 'apps'] as const;

/** The applications of the home screen as operators manage them. */
export const appsQuery = routeQuery(appsKey, listApps, {});

const noTexts = { en: '', de: '', fr: '' };

/** What is edited of an application. */
export function appValues(app: ManagedApp | null) {
  return {
    name: app?.name ?? '',
    names: app?.names ?? noTexts,
    description: app?.description ?? '',
    descriptions: app?.descriptions ?? noTexts,
    address: app?.address ?? '',
    right: app?.right ?? '',
    shown: app?.shown ?? true,
    /** `stored`: the one that is saved; null: none. */
    picture: (app === null || app.picture === null ? null : 'stored') as 'stored' | ChosenPicture | null,
  };
}
export type AppValues = ReturnType<typeof appValues>;

/** Adds an application, or changes it against the version that was opened. */
export function saveApp(
  api: Api,
  app: ManagedApp | null,
  values: AppValues,
  version: number,
  creation: Creation,
) {
  const { address, shown, picture, right, ...texts } = values;
  const look = {
    ...texts,
    right: right.trim() === '' ? null : right.trim(),
    ...(picture === 'stored' ? {} : { picture: picture === null ? null : { data: picture.data } }),
  };
  if (app === null) return api.call(addApp, { body: { ...look, address } }, creation);
  if (app.upstream !== null) {
    return api.call(changeGatewayApp, {
      params: { upstream: app.upstream },
      body: { ...look, shown, version: app.version === null ? null : version },
    });
  }
  return api.call(changeApp, { params: { id: app.key }, body: { ...look, address, version } });
}

type Field = 'name' | 'names' | 'description' | 'descriptions' | 'address' | 'right' | 'picture';

export const appWords: ProblemWords<Field> = {
  fields: {
    name: 'APPS.ERRORS.NAME',
    names: 'APPS.ERRORS.TEXTS',
    description: 'APPS.ERRORS.DESCRIPTION',
    descriptions: 'APPS.ERRORS.TEXTS',
    address: 'APPS.ERRORS.ADDRESS',
    right: 'APPS.ERRORS.RIGHT',
    picture: {
      type: 'APPS.ERRORS.PICTURE_TYPE',
      TOO_LARGE: 'APPS.ERRORS.PICTURE_TOO_BIG',
      too_big: 'APPS.ERRORS.PICTURE_TOO_BIG',
      else: 'APPS.ERRORS.PICTURE_BROKEN',
    },
  },
  // Only the picture is large.
  fieldOf: (name, code) => (code === 'TOO_LARGE' ? 'picture' : name),
};

import { type HomeApp, type TextsByLanguage, getAppPicture } from '#features/home/contract/home.ts';
import type { ManagedApp } from '#features/home/contract/apps.ts';
import type { Config } from '#server/config.ts';
import type { Upstream } from '#server/config-upstreams.ts';
import type { Hosts } from '#server/platform/http/hosts.ts';
import { folderOf } from '#server/platform/http/paths.ts';
import type { StoredApp } from './home.store.ts';

/** An application as it may stand on the home screen: listed by operators, or behind the gateway. */
export type ListedApp = Omit<StoredApp, 'version' | 'address'> & {
  address: string;
  /** Its name in the configuration of the gateway; null: operators listed it. */
  upstream: string | null;
  /** The right that the gateway asks for at its first page, or null. */
  gatewayRight: string | null;
  /** Null: nothing is stored about it. */
  version: number | null;
};

export type AppPlaces = { config: Pick<Config, 'publicUrl' | 'basePath' | 'upstreams'>; hosts: Hosts };

/** How an application behind the gateway is named in the order, the audit and the database. */
export const keyOfUpstream = (name: string): string => `~${name}`;

const none: TextsByLanguage = { en: '', de: '', fr: '' };

/** The application that `UPSTREAM_URL` names has no name of its own. */
const unnamed: Record<string, TextsByLanguage> = {
  application: { en: '', de: 'Anwendung', fr: '' },
};

/**
 * All applications in the operators' order; those that the order lacks follow by name. An application behind the
 * gateway whose first page takes a token instead of a session has no tile: it is not for browsers.
 */
export function listApplications(
  stored: readonly StoredApp[],
  order: readonly string[],
  { config, hosts }: AppPlaces,
): ListedApp[] {
  const known = new Map(stored.map((app) => [app.key, app]));
  const apps: ListedApp[] = stored.flatMap(({ address, ...app }) =>
    address === null ? [] : [{ ...app, address, upstream: null, gatewayRight: null }],
  );
  for (const upstream of config.upstreams) {
    const { access, right } = ruleAtStart(upstream);
    if (access === 'token') continue;
    const key = keyOfUpstream(upstream.name);
    apps.push({
      ...(known.get(key) ?? asConfigured(key, upstream)),
      address: addressOf(upstream, hosts),
      upstream: upstream.name,
      gatewayRight: right,
    });
  }
  const places = new Map(order.map((key, place) => [key, place]));
  const placeOf = ({ key }: ListedApp): number => places.get(key) ?? order.length;
  return apps.toSorted(
    (one, other) => placeOf(one) - placeOf(other) || one.name.localeCompare(other.name, 'en'),
  );
}

function asConfigured(key: string, { name }: Upstream): Omit<StoredApp, 'version'> & { version: null } {
  const words = name.replaceAll(/[-_]+/g, ' ').trim() || name;
  return {
    key,
    name: words.charAt(0).toUpperCase() + words.slice(1),
    names: unnamed[name] ?? none,
    description: '',
    descriptions: none,
    address: null,
    right: null,
    shown: true,
    picture: null,
    version: null,
  };
}

/** The rule for the first page: rules are for paths below the application's, so only one can match that page. */
function ruleAtStart({ path, rules }: Upstream): { access: string; right: string | null } {
  const start = folderOf(path);
  return rules.find((rule) => folderOf(rule.path) === start) ?? { access: 'session', right: null };
}

function addressOf({ host, path }: Upstream, hosts: Hosts): string {
  return hosts.originOf(host) + path;
}

/** Whether someone with these rights may open it, and finds it on the home screen. */
export function mayOpen(app: ListedApp, rights: ReadonlySet<string>): boolean {
  return (
    app.shown &&
    (app.right === null || rights.has(app.right)) &&
    (app.gatewayRight === null || rights.has(app.gatewayRight))
  );
}

export function asTile(app: ListedApp, basePath: string): HomeApp {
  const { key, name, names, description, descriptions, address, upstream } = app;
  return {
    key,
    name,
    names,
    description,
    descriptions,
    picture: pictureOf(app, basePath),
    address,
    behindGateway: upstream !== null,
  };
}

/** @param unknown names of rights that are in no catalogue */
export function asManaged(app: ListedApp, basePath: string, unknown: readonly string[]): ManagedApp {
  return {
    ...app,
    id: app.upstream === null ? app.key : null,
    rightIsKnown: app.right === null || !unknown.includes(app.right),
    picture: pictureOf(app, basePath),
  };
}

function pictureOf({ picture }: ListedApp, basePath: string): string | null {
  return picture === null ? null : `${basePath}${getAppPicture.path.replace(':pictureId', picture.id)}`;
}

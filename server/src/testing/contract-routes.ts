import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Access, Route } from '#contract/route.ts';
import { isOpenWire } from '../platform/http/access-check.ts';

/** A route and the name under which the contract exports it. */
export type NamedRoute = [name: string, route: Route];

/** Every route that a module of the contract declares, found by loading the modules, so that none is missed. */
export async function contractRoutes(): Promise<NamedRoute[]> {
  const root = join(import.meta.dirname, '../../..');
  const modules = globSync('{contract/src,features/*/contract}/**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const exported = await Promise.all(
    modules.map((file) => import(join(root, file)) as Promise<Record<string, unknown>>),
  );
  return exported.flatMap((module) =>
    Object.entries(module).filter((entry): entry is NamedRoute => isRoute(entry[1])),
  );
}

function isRoute(value: unknown): value is Route {
  return (
    typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
  );
}

/** The right to call a route about another person, or null. */
export function rightFor(access: Access): string | null {
  if (typeof access === 'string') return null;
  return 'right' in access ? access.right : access.orRight;
}

/** Whether a route asks for a bearer token; `signed-in-or-allowed` does unless the settings allow others. */
export function needsBearer({ access }: Route): boolean {
  return access === 'signed-in' || access === 'signed-in-or-allowed' || typeof access === 'object';
}

/** Whether pages of other origins may call a route, and their browsers ask first. */
export function isForOtherOrigins({ access }: Route): boolean {
  return isOpenWire(access) || access === 'signed-in-or-allowed';
}

/** Whether a route's answers, problems included, are another product's wire. */
export function isForeignWire({ access }: Route): boolean {
  return isOpenWire(access);
}

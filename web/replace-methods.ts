import type { Rolldown } from 'vite';

type Method = { start: number; end: number; key: { name?: string } };
type Class = { type: string; id: { name: string } | null; body: { body: Method[] } };
type Statement = Partial<Class> & { declaration?: Partial<Class> | null };
type Build = Pick<Rolldown.TransformPluginContext, 'parse' | 'error'>;

/**
 * Returns the script of a library in which some methods of one class are replaced.
 *
 * @param instead the new methods by name, as JavaScript; an empty text removes the method
 */
export function replaceMethods(
  build: Build,
  code: string,
  className: string,
  instead: Readonly<Record<string, string>>,
): string {
  const statements = build.parse(code).body as unknown as Statement[];
  const methods = statements
    .map((statement) => statement.declaration ?? statement)
    .filter(({ type, id }) => type === 'ClassDeclaration' && id?.name === className)
    .flatMap(({ body }) => body?.body ?? [])
    .filter(({ key }) => key.name !== undefined && Object.hasOwn(instead, key.name));
  if (methods.length !== Object.keys(instead).length)
    build.error(`The class ${className} has other methods now: look at what is replaced in it.`);
  let rest = code;
  for (const { start, end, key } of methods.toReversed())
    rest = rest.slice(0, start) + instead[key.name ?? ''] + rest.slice(end);
  return rest;
}

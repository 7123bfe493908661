import type { ErrorEvent, FullError, StackFrame } from '#features/diagnostics/contract/diagnostics.ts';

/** An error in Markdown, for an issue tracker: in English, as the code that it is about. */
export function errorAsText(
  error: FullError,
  event: ErrorEvent,
  { origin }: Pick<Location, 'origin'>,
): string {
  const { sample } = event;
  const facts = [
    ['Events', `${error.events} (${error.people} people)`],
    ['First seen', withRelease(error.firstSeenAt, error.firstRelease)],
    ['Last seen', withRelease(error.lastSeenAt, error.lastRelease)],
    ['Browser', [event.browser, event.system].filter(Boolean).join(', ')],
    ['Environment', event.environment],
    ['Message', sample?.message === error.message ? null : sample?.message],
    ['Transaction', sample?.transaction],
    ['Request id', event.requestId],
    ['Event id', event.eventId],
  ].flatMap(([name, value]) => (value == null || value === '' ? [] : [`- ${name}: ${value}`]));
  const stacks = (sample?.errors ?? []).map(({ kind, message, frames }, index) =>
    [`${index > 0 ? 'Caused by ' : ''}${kind}: ${message}`, ...frames.map(lineOf)].join('\n'),
  );
  const steps = (sample?.breadcrumbs ?? []).map(
    ({ at, category, message }) =>
      `${at === null ? '' : `${new Date(at).toISOString()} `}${category} ${message}`,
  );
  return [
    `## ${error.kind}: ${error.message}`,
    '',
    ...facts,
    `- ${origin}/diagnostics/${error.id}`,
    ...blockOf('Stack', stacks),
    ...blockOf('Before', steps),
    '',
  ].join('\n');
}

function withRelease(at: number, release: string | null): string {
  return new Date(at).toISOString() + (release === null ? '' : ` (${release})`);
}

function lineOf({ function: name, file, line, column }: StackFrame): string {
  const place = [file, line, column].filter((part) => part !== null).join(':');
  return `    at ${name === null ? place : `${name} (${place})`}`;
}

/** What is quoted cannot end the block: the fence is longer than any in it. */
function blockOf(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const text = lines.join('\n');
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return ['', `### ${title}`, '', fence, text, fence];
}

import type { Breadcrumb } from '#features/feedback/contract/feedback.ts';
import { startRecorder } from '../platform/record/recorder.ts';
import type { TabMemory } from '../platform/tabs/tab-memory.ts';
import { hostName } from './surface.ts';

const storedKey = 'portico.embed.steps';
const most = 50;

type Person = () => { id: string; firstName: string; lastName: string; email: string } | null;

/**
 * Records what the person does in this page. An application may have several pages, so the result begins
 * with the steps of this tab's previous page, if the same person was signed in there.
 */
export function recordSteps(window: Window & typeof globalThis, memory: TabMemory, person: Person) {
  const recorder = startRecorder(window, {
    words() {
      const user = person();
      return user === null ? [] : [user.firstName, user.lastName, user.email];
    },
    ignored: hostName,
    calls: true,
  });
  const earlier = readSteps(memory.read(storedKey));
  memory.write(storedKey, null);
  const all = (): readonly Breadcrumb[] => {
    const id = person()?.id ?? '';
    return [...(earlier.of === id ? earlier.steps : []), ...recorder.breadcrumbs()].slice(-most);
  };
  window.addEventListener('pagehide', () => {
    const of = person()?.id;
    // Steps of a person who signed out must not reach the next person.
    memory.write(storedKey, of === undefined ? null : JSON.stringify({ of, steps: all() }));
  });
  return all;
}

/** Reads the steps that an earlier page has stored; none if they are not in the format of this release. */
export function readSteps(text: string | null): { of: string; steps: Breadcrumb[] } {
  try {
    const { of, steps } = JSON.parse(text ?? '{}') as Record<string, unknown>;
    if (typeof of === 'string' && Array.isArray(steps)) return { of, steps: steps as Breadcrumb[] };
  } catch {
    // The application has stored something else under this key.
  }
  return { of: '', steps: [] };
}

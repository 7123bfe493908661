import { createEventSource } from '../platform/live/event-source.ts';
import { startLazyRecorder } from './late-recorder.ts';
import { FindField } from './palette/find-field.tsx';
import { ConsoleNavigation } from './shell/console-navigation.tsx';

/** What a page downloads after its first paint, together: one file in place of a dozen small ones. */
export const atRest = { createEventSource, startLazyRecorder, FindField, ConsoleNavigation };

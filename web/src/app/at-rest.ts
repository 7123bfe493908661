// What a page downloads after its first paint, together: one file in place of a dozen small ones.
export { createEventSource } from '../platform/live/event-source.ts';
export { startLazyRecorder } from './late-recorder.ts';
export { FindField } from './palette/find-field.tsx';
export { ConsoleNavigation } from './shell/console-navigation.tsx';

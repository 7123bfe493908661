import { storedChoice } from '#web/platform/state/stored-choice.ts';

/** What the inbox does once the open report is resolved, closed, a duplicate or spam. */
export const afterDone = storedChoice('portico.inbox.after-done', ['stay', 'next']);

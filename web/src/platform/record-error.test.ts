import { reportedError } from '#features/feedback/contract/feedback.ts';
import { describe, expect, it } from 'vitest';
import { newEventId } from './calls/event-id.ts';
import { ProblemError } from './calls/problem-error.ts';
import { createErrorRecord, watchUncaught } from './record-error.ts';

const problem = new ProblemError({
  status: 500,
  code: 'INTERNAL',
  title: 'of ada@example.org',
  detail: 'secret words',
  requestId: 'req-7',
});

describe('BUG-7: what a page records of an error', () => {
  it('BUG-7: an id as Sentry has it, time, place, status, code and request, and nothing that was typed', () => {
    const errors = createErrorRecord(
      () => 5,
      () => '/people/$personId/data',
    );
    errors.record('profile.load', problem);
    errors.record('feedback.send', new Error('secret words', { cause: problem }));
    const typed = new TypeError('Cannot read "secret words /assets/typed-secret.js:1:1"');
    typed.stack = `${String(typed)}\n    at draw (https://portico.test/assets/main-1a2b.js:12:345)`;
    errors.record('page.error', typed);
    errors.record('page.rejection', 'secret words');
    const odd = new Error('x');
    odd.name = 'secret words';
    errors.record('page.error', odd);

    const recorded = errors.recorded.get().map(({ error: _error, ...reported }) => reported);
    const common = {
      id: expect.stringMatching(/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/) as string,
      at: 5,
    };
    const at = { ...common, screen: '/people/$personId/data' };
    const answer = { status: 500, code: 'INTERNAL', requestId: 'req-7' };
    expect(recorded).toEqual([
      { ...at, what: 'profile.load', kind: 'ProblemError', ...answer },
      { ...at, what: 'feedback.send', kind: 'Error', ...answer },
      { ...at, what: 'page.error', kind: 'TypeError', script: 'main-1a2b.js:12:345' },
      { ...at, what: 'page.rejection', kind: 'string' },
      { ...at, what: 'page.error', kind: 'Error' },
    ]);
    expect(JSON.stringify(recorded)).not.toMatch(/secret|ada@/);
    for (const one of recorded) expect(reportedError.parse(one)).toEqual(one);
    expect(new Set(recorded.map(({ id }) => id)).size).toBe(5);
  });

  it('BUG-7: the last twenty; one that comes again and again drives out no other', () => {
    const errors = createErrorRecord();
    errors.record('profile.load', problem);
    for (let again = 0; again < 100; again += 1) errors.record('page.error', new Error(`${again}`));
    expect(errors.recorded.get().map(({ what }) => what)).toEqual(['profile.load', 'page.error']);
    for (let index = 0; index < 30; index += 1) errors.record(`what-${index}`, problem);
    expect(errors.recorded.get().map(({ what }) => what)).toEqual(
      Array.from({ length: 20 }, (_, index) => `what-${index + 10}`),
    );
  });

  it('BUG-7: the last twenty failed calls, by their route', () => {
    const errors = createErrorRecord(() => 6);
    for (let index = 0; index < 30; index += 1) errors.recordCall(`GET /v1/${index}`, problem);
    expect(errors.failedCalls.get()).toHaveLength(20);
    expect(errors.failedCalls.get().at(-1)).toEqual({
      at: 6,
      call: 'GET /v1/29',
      status: 500,
      code: 'INTERNAL',
      requestId: 'req-7',
    });
  });

  it('BUG-7: what nothing on the page has caught, but no notices of the browser', () => {
    const page = new EventTarget();
    const errors = createErrorRecord();
    watchUncaught(page as Window, errors);
    const happen = (type: string, facts: object) => page.dispatchEvent(Object.assign(new Event(type), facts));
    happen('error', { error: new RangeError('x') });
    happen('error', {
      error: null,
      message: 'ResizeObserver loop completed with undelivered notifications.',
    });
    happen('unhandledrejection', { reason: problem });
    expect(errors.recorded.get().map(({ what, kind }) => [what, kind])).toEqual([
      ['page.error', 'RangeError'],
      ['page.rejection', 'ProblemError'],
    ]);
  });

  it('BUG-5: an id of its own each time', () => {
    expect(new Set(Array.from({ length: 100 }, newEventId)).size).toBe(100);
  });
});

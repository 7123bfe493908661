import type { Breadcrumb } from '#features/feedback/contract/feedback.ts';
import type { ErrorEvent } from '@sentry/browser';

type Crumb = NonNullable<ErrorEvent['breadcrumbs']>[number];

/** What the page has recorded, scrubbed, in the form of Sentry's protocol. */
export function faultBreadcrumbs(recorded: readonly Breadcrumb[]): Crumb[] {
  return recorded.map((step) => ({ timestamp: step.at / 1000, ...contentOf(step), ...countOf(step) }));
}

function contentOf(step: Breadcrumb): Crumb {
  switch (step.kind) {
    case 'navigation':
      return { type: 'navigation', category: 'navigation', message: step.path };
    case 'click':
      return {
        type: 'ui',
        category: 'ui.click',
        message: step.name === '' ? step.role : `${step.role} “${step.name}”`,
      };
    case 'call':
      return {
        type: 'http',
        category: 'call',
        level: 'error',
        message: step.call,
        data: { status: step.status, code: step.code, request_id: step.requestId },
      };
    case 'console':
      return { type: 'debug', category: 'console', level: step.level, message: step.text };
  }
}

function countOf({ count = 1 }: Breadcrumb): Crumb {
  return count > 1 ? { data: { count } } : {};
}

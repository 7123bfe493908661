import type { ReportStatus } from '#features/feedback/contract/own-reports.ts';
import { describe, expect, it } from 'vitest';
import { reportersView } from './own-reports.ts';

const view = (...statuses: ReportStatus[]): string[] =>
  reportersView(statuses.map((status, index) => ({ at: index + 1, status }))).map(
    ({ at, status }) => `${status} ${at}`,
  );

describe('what the reporter sees', () => {
  it('BUG-9: is every status that the report had, and since when', () => {
    expect(view('new')).toEqual(['new 1']);
    expect(view('new', 'triaged', 'in-progress', 'resolved', 'new', 'duplicate')).toEqual([
      'new 1',
      'triaged 2',
      'in-progress 3',
      'resolved 4',
      'new 5',
      'duplicate 6',
    ]);
  });

  it('BUG-9: is never that it was taken for spam, nor anything that would betray it', () => {
    expect(view('new', 'spam')).toEqual(['new 1', 'closed 2']);
    expect(view('new', 'spam', 'closed')).toEqual(['new 1', 'closed 2']);
    expect(view('new', 'closed', 'spam', 'new')).toEqual(['new 1', 'closed 2', 'new 4']);
    expect(view()).toEqual([]);
  });
});

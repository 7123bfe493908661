import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '#contract/testing/any-character.ts';
import { issueTracker, type IssueTracker } from './report-settings.ts';
import { longestAddress, newIssueAddress, type IssueFacts } from './new-issue.ts';

const facts: IssueFacts = {
  number: 7,
  excerpt: 'The map is white',
  message: 'The map is white.\n@ada <b>see</b> #3',
  url: 'https://portico.example.org/map?z=3',
  release: '1.2.3',
  browser: '',
  link: 'https://portico.example.org/reports?report=r7',
};
const words = {
  title: (number: number, excerpt: string) => `Report ${number}: ${excerpt}`,
  page: 'Page',
  release: 'Release',
  browser: 'Browser',
  report: 'Report',
};
const trackers: IssueTracker[] = [
  { kind: 'github', address: 'https://github.com/ada/maps' },
  { kind: 'gitlab', address: 'https://gitlab.example.org/group/maps/' },
  { kind: 'jira', address: 'https://maps.atlassian.net', project: '10001', issueType: '10002' },
];
const [github, gitlab, jira] = trackers as [IssueTracker, IssueTracker, IssueTracker];

/** Address without query, and the fields of the query. */
function read(address: string): { place: string; fields: Record<string, string> } {
  const [place = '', query = ''] = address.split('?');
  const fields = query.split('&').map((field) => field.split('=').map(decodeURIComponent));
  return { place, fields: Object.fromEntries(fields) as Record<string, string> };
}

describe('a new issue about a report', () => {
  it('BUG-8: is filled in as each tracker reads it', () => {
    const first = read(newIssueAddress(github, facts, words));
    expect(first.place).toBe('https://github.com/ada/maps/issues/new');
    expect(first.fields['title']).toBe('Report 7: The map is white');
    const second = read(newIssueAddress(gitlab, facts, words));
    expect(second.place).toBe('https://gitlab.example.org/group/maps/-/issues/new');
    expect(Object.keys(second.fields)).toEqual(['issue[title]', 'issue[description]']);
    const third = read(newIssueAddress(jira, facts, words));
    expect(third.place).toBe('https://maps.atlassian.net/secure/CreateIssueDetails!init.jspa');
    expect(third.fields).toMatchObject({ pid: '10001', issuetype: '10002' });
  });

  it('BUG-8: quotes what was reported, without meaning of its own, and leaves out what is not known', () => {
    const { body } = read(newIssueAddress(github, facts, words)).fields;
    expect(body).toContain('> The map is white\\.\n> @\u200bada \\<b\\>see\\</b\\> \\#\u200b3');
    expect(body).toContain('- Release: 1\\.2\\.3\n- Report: ');
    expect(body).not.toContain('Browser');
  });

  it('BUG-8: is short enough for every tracker, whatever was written, and reads back as text', () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 4096 });
    const some = fc.record({
      number: fc.nat(),
      excerpt: fc.string({ unit: anyCharacter, maxLength: 140 }),
      message: fc.oneof(text, fc.constant('€'.repeat(4096)), fc.constant('*'.repeat(4096))),
      url: fc.string({ maxLength: 2048 }),
      release: fc.string({ maxLength: 200 }),
      browser: fc.string({ maxLength: 500 }),
      link: fc.constant(facts.link),
    });
    fc.assert(
      fc.property(fc.constantFrom(...trackers), some, (tracker, given) => {
        const address = newIssueAddress(tracker, given, words);
        expect(address.length).toBeLessThanOrEqual(longestAddress);
        const { place, fields } = read(address);
        expect(place.startsWith(tracker.address)).toBe(true);
        expect(Object.keys(fields)).toHaveLength(tracker.kind === 'jira' ? 4 : 2);
      }),
      { numRuns: 300 },
    );
  });

  it('BUG-8: takes addresses of the web alone', () => {
    for (const address of [
      'javascript:alert(1)',
      'https://user@github.com/a/b',
      'https://a/b?c',
      'ftp://a/b',
    ])
      expect(issueTracker.safeParse({ kind: 'github', address }).success).toBe(false);
    for (const tracker of trackers) expect(issueTracker.safeParse(tracker).success).toBe(true);
  });
});

import type { IssueTracker } from './report-settings.ts';

/** The most characters of an address that trackers and the servers in front of them accept. */
export const longestAddress = 8_000;

/** The facts of a report for a new issue. */
export type IssueFacts = {
  number: number;
  /** The beginning of the message, on one line. */
  excerpt: string;
  message: string;
  /** The page that the report is about; empty: not known. */
  url: string;
  release: string;
  browser: string;
  /** The report in the inbox. */
  link: string;
};

/** Labels in the language of the operator. */
export type IssueWords = {
  title(number: number, excerpt: string): string;
  page: string;
  release: string;
  browser: string;
  report: string;
};

/**
 * The address at which a tracker shows a new issue with title and body filled in. Nothing is sent: the person
 * checks the issue in the tracker and saves it. The reporter's text is escaped, so that it stays plain text. If
 * the address would be longer than `longestAddress`, the end of the message is left out.
 *
 * GitHub: `title` and `body`; GitLab: `issue[title]` and `issue[description]`; Jira: `summary` and
 * `description` of `CreateIssueDetails`.
 */
export function newIssueAddress(tracker: IssueTracker, facts: IssueFacts, words: IssueWords): string {
  const jira = tracker.kind === 'jira';
  const title = words.title(facts.number, facts.excerpt).slice(0, 250).toWellFormed();
  const about = [
    [words.page, facts.url],
    [words.release, facts.release],
    [words.browser, facts.browser],
    [words.report, facts.link],
  ].filter(([, value]) => value !== '') as [name: string, value: string][];
  const escape = jira ? escapeJira : escapeMarkdown;
  const end = about
    .map(([name, value]) => `${jira ? '* ' : '- '}${name}: ${escape(value.slice(0, 300).toWellFormed())}`)
    .join('\n');
  const addressOf = (message: string) =>
    fillIn(tracker, title, [...(message === '' ? [] : [quoted(message, jira)]), end].join('\n\n'));

  // The longest beginning of the message whose address is short enough.
  let [fits, tooLong] = [0, facts.message.length + 1];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (addressOf(beginning(facts.message, middle)).length <= longestAddress) fits = middle;
    else tooLong = middle;
  }
  return addressOf(beginning(facts.message, fits));
}

function beginning(message: string, characters: number): string {
  if (characters >= message.length) return message;
  return characters === 0
    ? ''
    : `${message
        .slice(0, characters)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`;
}

function fillIn(tracker: IssueTracker, title: string, body: string): string {
  const base = tracker.address.replace(/\/+$/, '');
  const query = (fields: Record<string, string>) =>
    Object.entries(fields)
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
      .join('&');
  switch (tracker.kind) {
    case 'github':
      return `${base}/issues/new?${query({ title, body })}`;
    case 'gitlab':
      return `${base}/-/issues/new?${query({ 'issue[title]': title, 'issue[description]': body })}`;
    case 'jira': {
      const { project: pid, issueType: issuetype } = tracker;
      return `${base}/secure/CreateIssueDetails!init.jspa?${query({ pid, issuetype, summary: title, description: body })}`;
    }
  }
}

/** The message as a quotation, each line of it. */
function quoted(message: string, jira: boolean): string {
  if (jira) return `{quote}\n${escapeJira(message)}\n{quote}`;
  return message
    .split('\n')
    .map((line) => `> ${escapeMarkdown(line)}`)
    .join('\n');
}

// A mention or a reference to an issue would notify people: a zero-width space after the sign prevents this.
const parted = (text: string): string => text.replaceAll(/[@#!](?=[\p{L}\p{N}])/gu, '$&\u200b');

/** Escapes the characters that have a meaning in Markdown (CommonMark 2.4). */
function escapeMarkdown(text: string): string {
  return parted(text).replaceAll(/[\\`*_{}[\]()<>#+\-.!|~$&]/g, String.raw`\$&`);
}

function escapeJira(text: string): string {
  return parted(text).replaceAll(/[\\{}[\]*_^~+|!-]/g, String.raw`\$&`);
}

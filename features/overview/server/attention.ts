import type { AttentionItem, OverviewWindow } from '#features/overview/contract/overview.ts';
import type { Core } from '#server/core.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { refusedSince } from '#server/platform/database/refused.ts';
import { expiringTokens } from '#features/api-tokens/server/api-tokens.store.ts';
import { troubledBackups } from '#features/backup/server/backups.ts';
import { personByIdentity } from '#features/directory/server/people.store.ts';
import { latestNewReport, type ReportFigures } from '#features/feedback/server/report-figures.ts';
import { troubledFiles } from '#features/files/server/files.ts';
import { readFlags } from '#features/flags/server/flags.store.ts';
import { readProposals } from '#features/flags/server/review.store.ts';
import { heldRamps } from '#features/flags/server/ramp-guard.ts';
import { staleFlags } from '#features/flags/server/stale-flags.ts';
import { readVerdicts } from '#features/flags/server/usage-verdict.ts';
import { embeddedIssuer } from '#features/identity-provider/server/accounts.ts';
import { failingMail } from '#features/mail/server/mail.store.ts';
import { failingWebhooks } from '#features/webhooks/server/webhooks.store.ts';
import { phaseAt } from '#features/maintenance/server/maintenance-at.ts';
import { openWindows } from '#features/maintenance/server/windows.store.ts';

type WindowsNow = {
  /** The windows that are not over by the clock, the next first. */
  windows: OverviewWindow[];
  /** A file overrides maintenance. */
  heldOpen: boolean;
};

/** What the other parts of the overview know already; null where the right is missing. */
type KnownForAttention = {
  windows: WindowsNow | null;
  reports: ReportFigures | null;
};

/** The most names that are listed; the others are counted. */
const mostNames = 3;
const dayMs = 86_400_000;

/** What needs an operator with these rights, the most urgent first. */
export async function attentionFor(
  { database, clock, config }: Core,
  rights: ReadonlySet<string>,
  { windows, reports }: KnownForAttention,
): Promise<AttentionItem[]> {
  const { read } = database;
  const now = clock.now();
  const settings = rights.has('SETTINGS_WRITE');
  const items = await Promise.all([
    settings ? failingWebhooks(read).then(ofWebhooks) : [],
    settings ? failingMail(read, now).then((mail) => ofMail(read, rights, mail)) : [],
    settings ? troubledBackups({ database, config }, now).then(ofBackups) : [],
    settings ? troubledFiles(read).then(ofFiles) : [],
    refusedSince(read, now - dayMs).then((refused) => ofRefused(rights, refused)),
    rights.has('FLAGS_READ') ? heldRamps(read).then(ofRamps) : [],
    reports === null || reports.new === 0
      ? []
      : latestNewReport(read).then((latest) => ofReports(reports.new, latest)),
    rights.has('FLAGS_APPROVE') ? readProposals(read).then(ofProposals) : [],
    settings ? expiringTokens(read, now).then(ofTokens) : [],
    rights.has('FLAGS_READ') ? ofFlags(database, now) : [],
  ]);
  return [...ofWindows(windows), ...items.flat()];
}

function ofWebhooks(failing: Awaited<ReturnType<typeof failingWebhooks>>): AttentionItem[] {
  return failing.map((webhook) => ({ kind: 'webhook', ...webhook }));
}

function ofWindows(windows: WindowsNow | null): AttentionItem[] {
  if (windows === null) return [];
  return [
    ...windows.windows
      .filter(({ phase }) => phase === 'overdue')
      .map(({ id, title, endsAt }) => ({ kind: 'window' as const, id, title, endsAt })),
    ...(windows.heldOpen ? [{ kind: 'held-open' as const }] : []),
  ];
}

function ofBackups({ since, differs }: Awaited<ReturnType<typeof troubledBackups>>): AttentionItem[] {
  return [
    ...(since === null ? [] : [{ kind: 'backup' as const, since }]),
    ...(differs === null
      ? []
      : [{ kind: 'backup-differs' as const, name: differs.name, at: differs.verifiedAt ?? 0 }]),
  ];
}

function ofFiles(troubled: Awaited<ReturnType<typeof troubledFiles>>): AttentionItem[] {
  return troubled === null ? [] : [{ kind: 'files-store', ...troubled }];
}

async function ofMail(
  read: Reader,
  rights: ReadonlySet<string>,
  mail: Awaited<ReturnType<typeof failingMail>>,
): Promise<AttentionItem[]> {
  if (mail === null) return [];
  const { kind, accountId, ...figures } = mail;
  const isOne = figures.count === 1 && accountId !== null && rights.has('PEOPLE_READ');
  const personId = isOne ? await personByIdentity(read, embeddedIssuer, accountId) : null;
  const about = kind.startsWith('report') ? 'reports' : kind.includes('alert') ? 'errors' : 'people';
  return [{ kind: 'mail', about, personId, ...figures }];
}

function ofRefused(
  rights: ReadonlySet<string>,
  refused: Awaited<ReturnType<typeof refusedSince>>,
): AttentionItem[] {
  const shown = refused.filter(({ way }) =>
    rights.has(way === 'reports' ? 'REPORTS_READ' : 'DIAGNOSTICS_READ'),
  );
  if (shown.length === 0) return [];
  return [{ kind: 'refused', ways: shown.map(({ way }) => way), at: Math.max(...shown.map(({ at }) => at)) }];
}

function ofReports(count: number, latest: Awaited<ReturnType<typeof latestNewReport>>): AttentionItem[] {
  return latest === null ? [] : [{ kind: 'reports', count, ...latest }];
}

function ofTokens([first, ...others]: Awaited<ReturnType<typeof expiringTokens>>): AttentionItem[] {
  if (first === undefined) return [];
  const names = [first, ...others].slice(0, mostNames).map(({ name }) => name);
  const { id, expiresAt } = first;
  return [{ kind: 'tokens', id, count: others.length + 1, names, expiresAt }];
}

function ofProposals(proposals: Awaited<ReturnType<typeof readProposals>>): AttentionItem[] {
  const waiting = proposals.filter(({ review }) => review === null);
  if (waiting.length === 0) return [];
  const since = Math.min(...waiting.map(({ proposedAt }) => proposedAt));
  const names = waiting.map(({ key }) => key).slice(0, mostNames);
  return [{ kind: 'flag-proposals', count: waiting.length, names, since }];
}

function ofRamps(keys: readonly string[]): AttentionItem[] {
  if (keys.length === 0) return [];
  return [{ kind: 'held-ramps', count: keys.length, names: keys.slice(0, mostNames) }];
}

async function ofFlags(
  { read, longReads }: Pick<Core['database'], 'read' | 'longReads'>,
  now: number,
): Promise<AttentionItem[]> {
  const all = await readFlags(read);
  const stale = staleFlags(all, now);
  const [first] = stale;
  if (first === undefined) return [];
  const { verdictOf } = await readVerdicts(longReads, all, now);
  const safe = stale.filter(({ flag }) => verdictOf(flag).safeToRemove).length;
  const names = stale.slice(0, mostNames).map(({ flag }) => flag.key);
  const { value, flag } = first;
  return [{ kind: 'stale-flags', count: stale.length, names, value, since: flag.changedAt, safe }];
}

/** The windows by the clock, whose phases may be slightly ahead of the recorded ones. */
export async function windowsNow({ database, clock }: Core, heldOpen: () => boolean): Promise<WindowsNow> {
  const now = clock.now();
  const windows = (await openWindows(database.read)).map((window): OverviewWindow => ({
    ...window,
    phase: phaseAt(window, now),
  }));
  return { windows: windows.filter(({ phase }) => phase !== 'ended'), heldOpen: heldOpen() };
}

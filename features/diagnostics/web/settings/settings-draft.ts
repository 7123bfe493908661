import { type DiagnosticSettings, diagnosticSettings } from '#features/diagnostics/contract/settings.ts';

/** The settings as they are typed. */
export type SettingsDraft = {
  days: string;
  megabytes: string;
  onNew: boolean;
  onReturned: boolean;
  onRate: boolean;
  rate: string;
  minutes: string;
  /** One address a line. */
  mails: string;
};

const usualRate = 100;

export function draftOf(settings: DiagnosticSettings): SettingsDraft {
  return {
    days: String(settings.eventDays),
    megabytes: String(settings.eventMegabytes),
    onNew: settings.alertNew,
    onReturned: settings.alertReturned,
    onRate: settings.alertEvents !== null,
    rate: String(settings.alertEvents ?? usualRate),
    minutes: String(settings.alertMinutes),
    mails: settings.alertMails.join('\n'),
  };
}

/** As the server takes them. */
export function sentSettings(draft: SettingsDraft): Omit<DiagnosticSettings, 'version'> {
  return {
    eventDays: figureOf(draft.days),
    eventMegabytes: figureOf(draft.megabytes),
    alertNew: draft.onNew,
    alertReturned: draft.onReturned,
    alertEvents: draft.onRate ? figureOf(draft.rate) : null,
    alertMinutes: figureOf(draft.minutes),
    alertMails: draft.mails.split(/[\s,;]+/).filter((mail) => mail !== ''),
  };
}

const fieldOf: Partial<Record<string, keyof SettingsDraft>> = {
  eventDays: 'days',
  eventMegabytes: 'megabytes',
  alertEvents: 'rate',
  alertMinutes: 'minutes',
  alertMails: 'mails',
};

/** The fields that the server would refuse. */
export function wrongFields(draft: SettingsDraft): (keyof SettingsDraft)[] {
  const read = diagnosticSettings.safeParse({ ...sentSettings(draft), version: 1 });
  return (read.error?.issues ?? []).flatMap(({ path }) => fieldOf[String(path[0])] ?? []);
}

function figureOf(text: string): number {
  return /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
}

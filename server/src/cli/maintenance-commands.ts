import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { severities } from '#features/maintenance/contract/maintenance.ts';
import type { Config } from '../config.ts';
import { holdFileIn } from '#features/maintenance/server/hold-file.ts';
import { noticeWrittenWhileClosedBy } from '#features/maintenance/server/history.store.ts';
import { maintenanceAt, phaseAt } from '#features/maintenance/server/maintenance-at.ts';
import { lastWritten, readMaintenance } from '#features/maintenance/server/maintenance.store.ts';
import { openWindows } from '#features/maintenance/server/windows.store.ts';
import { makeDataFolder } from '../platform/files/data-folder.ts';
import { sqliteFile } from '../platform/database/database.ts';
import { writeWholeFile } from '../platform/files/whole-file.ts';
import type { Command, Outcome, Site } from './command.ts';
import { Failure } from './failure.ts';
import type { Installation } from './installation.ts';
import { choiceIn, instantIn, textIn } from './values.ts';

export const maintenanceStatus: Command = {
  summary: 'Shows whether maintenance is active, and which windows are planned',
  about: 'Prints off, read-only or full, or held-open where a file in the data folder overrides maintenance.',
  options: {},
  prepareOnSite() {
    return async (site) => {
      const file = holdFileIn(site.config.dataDir);
      const heldOpen = existsSync(file);
      try {
        return await site.withInstallation((installation) => publishStatus(site, installation, heldOpen));
      } catch (error) {
        if (!(error instanceof Failure) || !heldOpen) throw error;
        // The file works without a database.
        return { result: 'held-open', notes: [heldNote(file), error.message], json: { heldOpen } };
      }
    };
  },
};

async function publishStatus(
  { config }: Site,
  { database, clock }: Installation,
  heldOpen: boolean,
): Promise<Outcome> {
  const { read } = database;
  const [manual, windows, changedAt] = [
    await readMaintenance(read),
    await openWindows(read),
    await lastWritten(read),
  ];
  const now = clock.now();
  const { mode, text, severity, expectedEnd, since } = maintenanceAt(
    { manual, windows, changedAt, heldOpen },
    now,
  );
  const planned = windows.map(({ id, title, startsAt, endsAt, ...window }) => ({
    id,
    title,
    mode: window.mode,
    phase: phaseAt({ id, title, startsAt, endsAt, ...window }, now),
    startsAt,
    endsAt,
  }));
  return {
    result: heldOpen ? 'held-open' : mode,
    notes: [
      ...(config.flagsHost === null ? [] : [elsewhere]),
      ...(heldOpen ? [heldNote(holdFileIn(config.dataDir))] : []),
      ...(text === '' ? [] : [`${severity}: ${text}`]),
      ...(expectedEnd === null ? [] : [`Expected to end: ${inWords(expectedEnd)}`]),
      ...planned.map(
        (window) =>
          `${window.phase}: ${window.title} (${window.mode}), ${inWords(window.startsAt)} to ${inWords(window.endsAt)}`,
      ),
    ],
    json: { mode, text, severity, expectedEnd, since, heldOpen, windows: planned },
  };
}

export const maintenanceOn: Command = {
  summary: 'Starts maintenance now',
  about: [
    'Sets the switch, as Immediate on the Maintenance screen does: offline, or read only. Text and severity stay as they are where they',
    'are not given. It takes effect at once, and people keep what they have typed.',
  ].join('\n'),
  options: {
    'read-only': { value: null, help: 'Reading still works; only changes are refused' },
    text: { value: 'TEXT', help: 'What people read' },
    severity: { value: 'SEVERITY', help: severities.join(', ') },
    until: { value: 'TIME', help: 'When it is expected to end, such as 2026-11-21T22:00Z' },
  },
  prepareOnSite(values) {
    const mode = values['read-only'] === undefined ? 'full' : 'read-only';
    const text = textIn(values, 'text', 2000);
    const severity = choiceIn(values, 'severity', severities);
    const expectedEnd = instantIn(values, 'until');
    return ({ config, withInstallation }) =>
      withInstallation(async ({ database, maintenance, actor }) => {
        if (config.flagsHost !== null) throw new Failure(elsewhere);
        await database.change(async (change) => {
          const stored = await readMaintenance(change.tx);
          await maintenance.setSwitch(change, actor, {
            mode,
            text: text ?? stored.text,
            texts: text === undefined ? stored.texts : {},
            severity: severity ?? stored.severity,
            expectedEnd,
            version: stored.version,
          });
        });
        const file = holdFileIn(config.dataDir);
        const heldOpen = existsSync(file);
        return {
          result: heldOpen ? 'held-open' : mode,
          notes: heldOpen ? [`The switch is set, but ${heldNote(file)}`] : [],
          json: { mode, expectedEnd, heldOpen },
        };
      });
  },
};

export const maintenanceOff: Command = {
  summary: 'Ends maintenance, also where the database does not answer or the disk is full',
  about: [
    'For emergencies: first puts a file into the data folder, at which the server ends maintenance within a second whatever is set or planned.',
    'Then it sets the switch off and ends the active windows; when that is done it removes the file again. Where it cannot be',
    'done the file stays and overrides maintenance, until "maintenance resume". A notice that "maintenance on" has set is removed, any other stays.',
  ].join('\n'),
  options: {},
  prepareOnSite() {
    return async ({ config, withInstallation }) => {
      const file = holdFileIn(config.dataDir);
      const wasThere = existsSync(file);
      const notWritten = wasThere ? null : putFile(config, file);
      if (notWritten !== null && config.flagsHost !== null) throw notWritten;
      if (config.flagsHost !== null)
        return {
          result: 'held-open',
          notes: [elsewhere, heldNote(file)],
          json: { heldOpen: true, ended: [] },
        };
      let done: Awaited<ReturnType<typeof openInDatabase>>;
      try {
        done = await withInstallation(openInDatabase);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (notWritten !== null)
          throw new Failure(`${notWritten.message}\nNothing could be changed in the database: ${reason}`);
        return {
          result: 'held-open',
          notes: [`Nothing could be changed in the database: ${reason}`, heldNote(file)],
          json: { heldOpen: true, ended: [] },
        };
      }
      if (!wasThere) rmSync(file, { force: true });
      const { ended, next, severity, text, removed } = done;
      return {
        result: wasThere ? 'held-open' : 'off',
        notes: [
          ...(removed === '' ? [] : [`The notice that was set with maintenance is removed: ${removed}`]),
          ...(text === '' ? [] : [`The notice stays: ${severity}: ${text}`]),
          ...ended.map((title) => `Ended: ${title}`),
          ...next.map(({ title, startsAt }) => `Still planned: ${title}, from ${inWords(startsAt)}`),
          ...(wasThere ? [heldNote(file)] : []),
        ],
        json: { heldOpen: wasThere, ended, notice: text },
      };
    };
  },
};

async function openInDatabase({ database, clock, maintenance, actor }: Installation) {
  return database.change(async (change) => {
    const stored = await readMaintenance(change.tx);
    const { severity, version } = stored;
    // Maintenance that the command line started ends with its own notice; a notice of another author stays.
    const isOwn =
      stored.mode !== 'off' && (await noticeWrittenWhileClosedBy(change.tx, stored.text)) === actor.name;
    const { text, texts } = isOwn ? { text: '', texts: {} } : stored;
    if (stored.mode !== 'off')
      await maintenance.setSwitch(change, actor, {
        mode: 'off',
        text,
        texts,
        severity,
        expectedEnd: null,
        version,
      });
    const removed = text === stored.text ? '' : stored.text;
    const ended = await maintenance.endAll(change, actor);
    const next = (await openWindows(change.tx)).filter(({ startsAt }) => startsAt > clock.now());
    return { ended: ended.map(({ title }) => title), next, severity, text, removed };
  });
}

export const maintenanceResume: Command = {
  summary: 'Makes maintenance effective again, after "maintenance off" without a database',
  about:
    'Removes the file that overrides maintenance. What is set and planned is effective again within a second.',
  options: {},
  prepareOnSite() {
    return ({ config }) => {
      const file = holdFileIn(config.dataDir);
      const wasHeld = existsSync(file);
      try {
        rmSync(file, { force: true, recursive: true });
      } catch (error) {
        throw new Failure(`${file} cannot be removed: ${(error as Error).message}`);
      }
      return Promise.resolve({
        result: 'resumed',
        notes: wasHeld ? [] : ['There was no file that overrides maintenance.'],
        json: { wasHeld },
      });
    };
  },
};

/** Returns why the file could not be written, or null: the command still does what the database can do. */
function putFile({ database, dataDir }: Config, file: string): Failure | null {
  if (database.engine === 'sqlite' && !existsSync(sqliteFile(dataDir)))
    throw new Failure(`There is no data of Portico in ${dataDir}. DATA_DIR names another folder.`);
  try {
    makeDataFolder(dataDir);
    try {
      writeWholeFile(file, 'While this file is here, maintenance is off. "maintenance resume" removes it.\n');
    } catch {
      // A full disk often still has room for an empty file. The server checks only whether the file exists.
      closeSync(openSync(file, 'a', 0o600));
    }
    return null;
  } catch (error) {
    return new Failure(`${file} cannot be written: ${(error as Error).message}`);
  }
}

const elsewhere = 'Maintenance is set on the flag host that FLAGS_HOST names.';

function heldNote(file: string): string {
  return `Maintenance is overridden by the file ${file}, whatever is set or planned. "maintenance resume", or deleting it, ends that.`;
}

function inWords(at: number): string {
  return new Date(at).toISOString();
}

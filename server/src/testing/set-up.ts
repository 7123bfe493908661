import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrations } from '../features.ts';
import { openDatabase } from '../platform/database/database.ts';
import { systemClock } from '../platform/time/clock.ts';
import { databaseUrl, onServer, startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A real PostgreSQL for this run: `postgres://…/<database>` with any database name. */
    postgresUrl: string;
    /** The name of its database that is up to date and empty, from which tests copy theirs. */
    postgresTemplate: string;
    /** A data folder with an SQLite file that is up to date and empty. */
    sqliteTemplate: string;
    /** A folder in the shape of the built web, so that the server's tests need no build. */
    webDir: string;
  }
}

/**
 * Vitest's global set-up: one PostgreSQL for the whole run, and a template for each engine; gone when the run
 * ends.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-tests-'));
  // PostgreSQL's own user has to pass through.
  chmodSync(folder, 0o711);
  const server = await startPostgres(folder);
  const postgresTemplate = 'portico_template';
  await onServer(server.url, `create database ${postgresTemplate}`);
  const sqliteTemplate = join(folder, 'sqlite');
  mkdirSync(sqliteTemplate);
  const templates = [
    { engine: 'postgres', url: databaseUrl(server.url, postgresTemplate) },
    { engine: 'sqlite', dataDir: sqliteTemplate },
  ] as const;
  for (const location of templates) await (await openDatabase(location, systemClock, migrations)).close();

  project.provide('postgresUrl', server.url);
  project.provide('postgresTemplate', postgresTemplate);
  project.provide('sqliteTemplate', sqliteTemplate);
  project.provide('webDir', makeWeb(folder));
  return async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Pages with everything that the server fills in, and nothing else. */
function makeWeb(folder: string): string {
  const webDir = join(folder, 'web');
  mkdirSync(join(webDir, 'assets'), { recursive: true });
  const words =
    'notice expected-end right right-name whom whom-unknown read-only down signed-out closed form no-form send-again sign-in';
  const slots = words
    .split(' ')
    .map(
      (slot) =>
        `<!--${slot}--><p id="${slot}">__${slot.toUpperCase().replaceAll('-', '_')}__</p><!--/${slot}-->`,
    )
    .join('');
  for (const page of [
    'index',
    'sign-in',
    'set-up',
    'invitation',
    'maintenance.en',
    'maintenance.de',
    'maintenance.fr',
    'unavailable.en',
    'unavailable.de',
    'unavailable.fr',
    'gateway.en',
    'gateway.de',
    'gateway.fr',
  ]) {
    const boot = '<script type="application/json" id="boot" nonce="__NONCE__">{}</script>';
    const head = `<title>${page} · __PRODUCT__</title><link rel="icon" href="/favicon.svg" /><link rel="stylesheet" href="/a.css" />`;
    const mark = '<!--mark--><svg width="22"></svg><!--/mark-->';
    const html = `<!doctype html><html lang="en"><head>${head}${boot}</head><body>${mark}${slots}</body></html>`;
    writeFileSync(join(webDir, `${page}.html`), html);
  }
  return webDir;
}

import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '#features/audit/contract/audit.ts';
import { csvHead, csvLine, jsonLine } from './export-lines.ts';

const entry: AuditEntry = {
  id: 'one',
  at: Date.UTC(2026, 2, 1, 12),
  through: 'person',
  client: { program: 'Firefox 150', system: 'Windows' },
  actor: { id: 'ada', name: 'ada@example.org', nameNow: 'Ada' },
  action: 'flag.update',
  subject: { kind: 'flag', id: 'A_FLAG', nameNow: 'A_FLAG', there: true },
  before: null,
  after: { on: true },
  cut: false,
};
const nameless: AuditEntry = {
  ...entry,
  client: null,
  actor: { id: null, name: 'root', nameNow: null },
  subject: { kind: null, id: 'x', nameNow: null, there: false },
  before: 0,
  after: undefined,
};

describe('an entry of the audit as a line', () => {
  it('AUD-1: of JSON has what the row holds, the name of today and the local time where they are known', () => {
    const line = jsonLine(entry, 60);
    expect(line.endsWith('}\n')).toBe(true);
    expect(JSON.parse(line)).toEqual({
      type: 'audit',
      id: 'one',
      at: entry.at,
      time: '2026-03-01T12:00:00.000Z',
      localTime: '2026-03-01T13:00:00.000+01:00',
      through: 'person',
      client: 'Firefox 150',
      clientSystem: 'Windows',
      actor: 'ada@example.org',
      actorId: 'ada',
      action: 'flag.update',
      subject: 'A_FLAG',
      subjectName: 'A_FLAG',
      before: null,
      after: { on: true },
    });
    const plain = JSON.parse(jsonLine(nameless)) as object;
    expect(plain).not.toHaveProperty('localTime');
    expect(plain).not.toHaveProperty('subjectName');
    expect(plain).not.toHaveProperty('client');
    expect(JSON.parse(jsonLine(entry, 0))).toHaveProperty('localTime', '2026-03-01T12:00:00.000+00:00');
  });

  it('AUD-1: of CSV has a cell for each column, empty where there is nothing', () => {
    expect(csvHead.split(',')).toHaveLength(13);
    expect(csvLine(entry, -90)).toBe(
      'one,2026-03-01T12:00:00.000Z,2026-03-01T10:30:00.000-01:30,person,ada@example.org,ada,flag.update,A_FLAG,A_FLAG,,"{""on"":true}",Firefox 150,Windows\r\n',
    );
    expect(csvLine(nameless)).toBe('one,2026-03-01T12:00:00.000Z,,person,root,,flag.update,x,,0,,,\r\n');
  });

  it.each([
    ['=1+1', `"'=1+1"`],
    [' +1', `"' +1"`],
    ['-1', `"'-1"`],
    ['\uff1d1', `"'\uff1d1"`],
    ['a=1', 'a=1'],
    ['a"b', '"a""b"'],
    ['a;b', '"a;b"'],
    ['it’s', 'it’s'],
    [' a', '" a"'],
    ['a ', '"a "'],
    ['', ''],
  ])('AUD-1: of CSV has nothing that a spreadsheet runs: %j', (name, cell) => {
    expect(csvLine({ ...nameless, actor: { ...nameless.actor, name } }).split(',')[4]).toBe(cell);
  });
});

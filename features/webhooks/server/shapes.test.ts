import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { webhookEvent, webhookShape, type WebhookShape } from '#features/webhooks/contract/webhooks.ts';
import { exampleEvents, shaped } from './shapes.ts';

const publicUrl = 'https://portico.example.org/front';
const at = Date.UTC(2026, 10, 22, 21, 30);

const window = {
  id: 'w1',
  title: 'New pumps',
  startsAt: Date.UTC(2026, 10, 22, 22),
  endsAt: Date.UTC(2026, 10, 22, 23),
  timeZone: 'Europe/Berlin',
};

function send(shape: WebhookShape, type: string, data: object, language: 'en' | 'de' | 'fr' = 'en') {
  const event = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
  return shaped(event, { shape, language }, publicUrl, 'key-1').body;
}
const read = (shape: WebhookShape, type: string, data: object): Record<string, unknown> =>
  JSON.parse(send(shape, type, data)) as Record<string, unknown>;

describe('MAINT-7: the shapes of webhooks', () => {
  it('leave the signed event of programs as it is stored', () => {
    const body = '{"type":"webhook.test","timestamp":"2026-11-22T21:30:00.000Z","data":{}}';
    expect(shaped(body, { shape: 'standard', language: 'en' }, publicUrl)).toEqual({
      body,
      contentType: 'application/json',
    });
  });

  it('name a window by its title and its times in its own zone, in the language of the webhook', () => {
    const data = { window, text: 'The pumps are replaced.' };
    expect(send('text', 'maintenance.scheduled', data).split('\n')).toEqual([
      'Maintenance planned: New pumps',
      expect.stringMatching(/^22 Nov 2026, 23:00\D+23 Nov 2026, 00:00 CET$/),
      'The pumps are replaced.',
      `${publicUrl}/maintenance`,
    ]);
    expect(send('text', 'maintenance.scheduled', data, 'de')).toMatch(
      /^Wartung geplant: New pumps\n22\. Nov/,
    );
    // Planned by a program that gave no time zone.
    const unzoned = { window: { ...window, timeZone: null } };
    expect(send('text', 'maintenance.scheduled', unzoned)).toMatch(/22 Nov 2026, 22:00\D+23:00 UTC/);
  });

  it('open an incident of PagerDuty and resolve the same one', () => {
    const open = read('pagerduty', 'maintenance.overdue', { window });
    expect(open).toMatchObject({
      routing_key: 'key-1',
      event_action: 'trigger',
      payload: {
        summary: 'Maintenance overdue: New pumps',
        severity: 'error',
        source: 'portico.example.org',
      },
    });
    const over = read('pagerduty', 'maintenance.ended', { window });
    expect(over).toMatchObject({ event_action: 'resolve', dedup_key: open['dedup_key'] });
    const report = { id: 'r1', number: 7 };
    expect(read('pagerduty', 'report.created', report)['event_action']).toBe('trigger');
    const reply = (from: string) => read('pagerduty', 'report.replied', { ...report, from })['event_action'];
    expect([reply('operator'), reply('reporter')]).toEqual(['acknowledge', 'trigger']);
    expect(read('pagerduty', 'report.changed', { ...report, status: 'resolved' })).toMatchObject({
      event_action: 'resolve',
      dedup_key: 'portico:report:r1',
    });
    // A guard opens an incident, which the next change of the flag resolves.
    expect(read('pagerduty', 'flag.held', { key: 'MAP' })).toMatchObject({
      event_action: 'trigger',
      dedup_key: 'portico:flag:MAP',
      payload: { severity: 'error', summary: 'Errors increased, ramp taken back: MAP' },
    });
    const held = read('pagerduty', 'maintenance.held-open', { mode: 'off' });
    expect(read('pagerduty', 'maintenance.let-go', { mode: 'off' })).toMatchObject({
      event_action: 'resolve',
      dedup_key: held['dedup_key'],
    });
    const textRemoved = { window: { ...window, phase: 'ended' } };
    expect(read('pagerduty', 'maintenance.changed', textRemoved)['event_action']).toBe('resolve');
    // The change of a flag is no incident.
    expect(read('pagerduty', 'flag.changed', { key: 'MAP', change: 'off' })).toMatchObject({
      event_action: 'resolve',
      dedup_key: 'portico:flag:MAP',
    });
  });

  it('say what the switch does now', () => {
    const title = (data: object) => send('text', 'maintenance.switched', data).split('\n')[0];
    expect([
      title({ mode: 'off', text: '' }),
      title({ mode: 'off', text: 'Soon' }),
      title({ mode: 'read-only' }),
      title({ mode: 'full' }),
    ]).toEqual([
      'Maintenance is off',
      'Notice for everyone',
      'Maintenance: read-only now',
      'Maintenance: closed now',
    ]);
  });

  it('FLAG-20: say which share a ramp has reached', () => {
    const data = { key: 'MAP', change: 'step', rule: 1, coverage: 0.125, by: null };
    expect(send('text', 'flag.changed', data, 'de')).toContain(
      'Flag geändert: MAP\nEine Regel hat die nächste Stufe ihrer Rampe erreicht\n12,5\u00a0%',
    );
  });

  it('let nobody who reports call a channel or hide where a link leads', () => {
    const message = '<!channel> <https://evil.example|ok> [ok](https://evil.example) @everyone **x**';
    const data = { id: 'r1', number: 7, name: 'Eve', message, link: `${publicUrl}/reports?report=r1` };
    const slack = send('slack', 'report.created', data);
    expect(slack.match(/"type":"mrkdwn","text":"[^"]*"/g)).toEqual([
      `"type":"mrkdwn","text":"<${publicUrl}/reports?report=r1|Open>"`,
    ]);
    expect((JSON.parse(slack) as { text: string }).text).not.toMatch(/[<>]/);
    const discord = read('discord', 'report.created', data) as {
      embeds: [{ description: string }];
      allowed_mentions: unknown;
    };
    expect(discord.allowed_mentions).toEqual({ parse: [] });
    expect(discord.embeds[0].description).not.toMatch(/(^|[^\\])[[\]<>*@]/);
    expect(send('teams', 'report.created', data)).not.toContain('"TextBlock"');
  });

  it('take every event with any texts, within the sizes that the services accept', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 5_000 });
    fc.assert(
      fc.property(
        fc.constantFrom(...webhookEvent.options),
        fc.constantFrom(...webhookShape.options.filter((shape) => shape !== 'standard')),
        texts,
        fc.integer({ min: 0, max: 60 }),
        (type, shape, text, count) => {
          const error = {
            id: 'e',
            project: { name: text },
            kind: text,
            message: text,
            place: text,
            url: publicUrl,
          };
          const data = {
            window,
            text,
            message: text,
            number: 1,
            errors: Array.from({ length: count }, () => error),
            more: 3,
          };
          const body = send(shape, type, data);
          expect(Buffer.byteLength(body)).toBeLessThan(28_000);
          const sized = JSON.parse(shape === 'text' ? '{}' : body) as {
            embeds?: { title: string; description: string }[];
            blocks?: { text: { text: string } }[];
          };
          for (const embed of sized.embeds ?? []) {
            expect(embed.title.length).toBeLessThanOrEqual(256);
            expect(embed.description.length).toBeLessThanOrEqual(4_096);
          }
          const [header, ...sections] = (sized.blocks ?? []).map((block) => block.text.text.length);
          expect(header ?? 0).toBeLessThanOrEqual(150);
          expect(Math.max(0, ...sections)).toBeLessThanOrEqual(3_000);
        },
      ),
    );
  });

  it('word an event whose data is not as expected by what it is about', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...webhookEvent.options),
        fc.constantFrom(...webhookShape.options),
        fc.json(),
        (type, shape, json) => {
          expect(send(shape, type, JSON.parse(json) as object)).not.toBe('');
        },
      ),
    );
    expect(send('text', 'maintenance.scheduled', { window: 'rewritten' })).toBe(
      `Maintenance planned\n${publicUrl}/maintenance`,
    );
  });

  it('show an example of each kind in each language', () => {
    for (const language of ['en', 'de', 'fr'] as const) {
      const bodies = exampleEvents(at, publicUrl, language).map((event) =>
        shaped(JSON.stringify(event), { shape: 'text', language }, publicUrl).body.split('\n'),
      );
      expect(bodies.map((lines) => lines.length)).toEqual([3, 4, 3]);
    }
  });
});

import { randomBytes } from 'node:crypto';
import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import { replyToReport } from '#features/feedback/contract/conversation.ts';
import { describe, expect, it } from 'vitest';
import { startApp } from './testing/app.ts';
import { callRoute } from './testing/client.ts';
import {
  errorEnvelope,
  feedbackEnvelope,
  newEventId,
  ownProjectKey,
  sendEnvelope,
} from './testing/envelopes.ts';
import { freshDatabase, oneEngine, openDatabase } from './testing/fresh-database.ts';
import { pngFile } from './testing/png.ts';
import { startServerProcess } from './testing/server-process.ts';

const writers = 6;
const senders = 2;
/** How many reports are acknowledged before each kill. */
const rounds = [100, 250];

type Acknowledged = { id: string; number: number; message: string; picture: Buffer | null };
type Reply = { reportId: string; text: string };

/** A picture like no other. */
function pictureOf(round: number, writer: number, index: number): Buffer {
  const pixels = Buffer.alloc(4 * 4 * 4);
  pixels.writeUInt32BE(round, 0);
  pixels.writeUInt32BE(writer, 4);
  pixels.writeUInt32BE(index, 8);
  return pngFile({ width: 4, height: 4, pixels });
}

describe.each(oneEngine)('a server killed while reports arrive on %s', (engine) => {
  it('RUN-5, BUG-6, DIAG-2: has stored every report, reply and envelope that it acknowledged, whole and once', async () => {
    const place = await freshDatabase(engine);
    const acknowledged: Acknowledged[] = [];
    const replies: Reply[] = [];
    const errors: string[] = [];
    const feedback: string[] = [];
    for (const [round, enough] of rounds.entries()) {
      const { url, server, caller } = await startServerProcess(place, ['REPORTS_READ', 'REPORTS_WRITE'], {
        FEEDBACK_WITHOUT_SIGN_IN: 'true',
      });
      const database = await openDatabase(place.location);
      const projectKey = await ownProjectKey({ database });
      await database.close();

      const before = acknowledged.length;
      /** Sends one report after the other, every third with a picture, until the server is gone. */
      const write = async (writer: number): Promise<void> => {
        for (let index = 0; ; index += 1) {
          const message = `Report ${round} ${writer} ${index}`;
          const picture = index % 3 === 0 ? pictureOf(round, writer, index) : null;
          const attachments =
            picture === null
              ? []
              : [{ data: picture.toString('base64'), filename: 'a.png', contentType: 'image/png' }];
          const sent = await callRoute(url, saveFeedback, { body: { message, attachments } }, caller).catch(
            () => null,
          );
          if (sent === null) return;
          acknowledged.push({ ...sent.body, message, picture });
          if (index % 5 !== 0) continue;
          const reply = { text: `Reply to ${message}`, eventId: randomBytes(16).toString('hex') };
          const params = { reportId: sent.body.id };
          const replied = await callRoute(url, replyToReport, { params, body: reply }, caller).catch(
            () => null,
          );
          if (replied === null) return;
          expect(replied.status).toBe(201);
          replies.push({ reportId: sent.body.id, text: reply.text });
        }
      };
      /** Sends envelopes of errors and, every fourth, of feedback with a picture. */
      const send = async (sender: number): Promise<void> => {
        for (let index = 0; ; index += 1) {
          const eventId = newEventId();
          const isError = index % 4 !== 0;
          const envelope = isError
            ? errorEnvelope({ release: `shop@${round}.${sender}.${index % 7}` }, eventId)
            : feedbackEnvelope(eventId, { message: 'By envelope' }, pictureOf(round, 10 + sender, index));
          const sent = await sendEnvelope(url, projectKey, envelope).catch(() => null);
          if (sent === null) return;
          expect(sent.status).toBe(200);
          (isError ? errors : feedback).push(eventId);
        }
      };
      const writing = [
        ...Array.from({ length: writers }, (_each, writer) => write(writer)),
        ...Array.from({ length: senders }, (_each, sender) => send(sender)),
      ];
      await expect.poll(() => acknowledged.length - before, { interval: 1 }).toBeGreaterThan(enough);
      await server.kill();
      await Promise.all(writing);

      const app = await startApp({ on: place });
      const rows = await app.database.read
        .selectFrom('report')
        .leftJoin('report_history', 'report_history.report_id', 'report.id')
        .leftJoin('report_picture', 'report_picture.report_id', 'report.id')
        .select(['report.id', 'number', 'message', 'after', 'file_id'])
        .execute();
      // Reports that were not acknowledged are whole too, or not there.
      expect(rows.filter(({ after }) => after !== 'new')).toEqual([]);
      expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length);
      const stored = new Map(rows.map((row) => [row.id, row]));
      const lost = acknowledged.filter(({ id, number, message, picture }) => {
        const row = stored.get(id);
        return (
          row?.number !== number || row.message !== message || (row.file_id === null) !== (picture === null)
        );
      });
      expect(lost).toEqual([]);
      const messages = await app.database.read
        .selectFrom('report_message')
        .innerJoin('report', 'report.id', 'report_message.report_id')
        .select(['report_id', 'text', 'report.replies'])
        .execute();
      const texts = new Map(messages.map((row) => [row.report_id, row]));
      expect(texts.size).toBe(messages.length);
      expect(messages.filter((row) => row.replies !== 1)).toEqual([]);
      expect(replies.filter(({ reportId, text }) => texts.get(reportId)?.text !== text)).toEqual([]);
      const events = await app.database.read.selectFrom('error_event').select('event_id').execute();
      const eventIds = new Set(events.map(({ event_id }) => event_id));
      expect(eventIds.size).toBe(events.length);
      expect(errors.filter((eventId) => !eventIds.has(eventId))).toEqual([]);
      // A report that was not acknowledged is either counted too or missing.
      const groups = await app.database.read.selectFrom('error_group').select('events').execute();
      const counts = await app.database.read.selectFrom('error_count').select('events').execute();
      for (const counted of [groups, counts])
        expect(counted.reduce((sum, row) => sum + row.events, 0)).toBe(events.length);
      const pictured = await app.database.read
        .selectFrom('report')
        .innerJoin('report_picture', 'report_picture.report_id', 'report.id')
        .select('report.event_id')
        .where('source', '=', 'sentry')
        .execute();
      const picturedIds = new Set(pictured.map(({ event_id }) => event_id));
      expect(feedback.filter((eventId) => !picturedIds.has(eventId))).toEqual([]);
      const bytesOf = async (path: string): Promise<Buffer> => {
        const answer = await fetch(app.url + path, {
          headers: { authorization: `Bearer ${caller.accessToken}` },
        });
        return Buffer.from(await answer.arrayBuffer());
      };
      for (const { id, picture } of acknowledged.slice(before)) {
        if (picture === null) continue;
        expect(await bytesOf(`/v1/files/${stored.get(id)?.file_id}`)).toEqual(picture);
      }
      await app.stop();
    }
    expect(acknowledged.length).toBeGreaterThan(350);
    expect(replies.length).toBeGreaterThan(30);
    expect([errors.length > 30, feedback.length > 8]).toEqual([true, true]);
  });
});

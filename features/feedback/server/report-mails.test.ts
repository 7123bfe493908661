import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import { addNote, replyToOwnReport, replyToReport } from '#features/feedback/contract/conversation.ts';
import { setReportSettings } from '#features/feedback/contract/report-settings.ts';
import { describe, expect, it } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { startMailServer } from '#server/testing/mail-server.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { signIn } from '#server/testing/signed-in.ts';

const event = (n: number) => String(n).padStart(32, '0');

describe.each(engines)('mail about reports on %s', (engine) => {
  const once = provedOn(engine);
  async function start() {
    const clock = movableClock();
    const post = await startMailServer();
    const app = await startApp({
      engine,
      clock,
      config: { mail: post.settings, feedbackWithoutSignIn: true },
    });
    const operator = await signIn(app, { roles: ['operator'] });
    const ada = await signIn(app, { roles: ['member'] });
    const waiting = () => app.database.read.selectFrom('mail').selectAll().execute();
    return { app, clock, post, operator, ada, waiting };
  }

  it('BUG-9: a reply travels to its reporter, with what it is about and where to answer; a note does not', async () => {
    const { app, post, operator, ada } = await start();
    const { id: reportId } = (await ada.call(saveFeedback, { body: { message: 'The map\nis white.' } })).body;
    const params = { reportId };
    await operator.call(addNote, { params, body: { text: 'Only for us', eventId: event(1) } });
    await operator.call(replyToReport, {
      params,
      body: { text: 'Fixed <b>now</b>.\nTry it.', eventId: event(2) },
    });
    const mail = await post.arrived(1);
    expect(mail).toMatchObject({ to: [ada.email], subject: 'Reply to your report #1' });
    expect(mail.text).toContain('> Fixed <b>now</b>.\n> Try it.');
    expect(mail.text).toContain('> The map is white.');
    expect(mail.text).toContain(`${app.url}/my-reports`);
    expect(mail.html).toContain('Fixed &#60;b&#62;now');
    expect(mail.text).not.toContain(operator.email);

    // A repeated report is stored once and mailed once.
    await operator.call(replyToReport, {
      params,
      body: { text: 'Fixed <b>now</b>.\nTry it.', eventId: event(2) },
    });
    const anonymous = await app.call(saveFeedback, {
      body: { message: 'Also broken', email: 'bert@example.org' },
    });
    const second = { reportId: anonymous.body.id };
    await operator.call(replyToReport, { params: second, body: { text: 'Thanks.', eventId: event(3) } });
    const other = await post.arrived(2);
    expect(other).toMatchObject({ to: ['bert@example.org'], subject: 'Reply to your report #2' });
    expect(other.text).not.toContain('/my-reports');
    const nameless = (await app.call(saveFeedback, { body: { message: 'No address' } })).body;
    await operator.call(replyToReport, {
      params: { reportId: nameless.id },
      body: { text: 'Nobody reads this.', eventId: event(4) },
    });
    await expect.poll(async () => app.database.read.selectFrom('mail').selectAll().execute()).toEqual([]);
    expect(post.received).toHaveLength(2);
  });

  it.each(once)('BUG-8: reports and replies reach the addresses in the settings, many in one', async () => {
    const { clock, post, operator, ada, waiting } = await start();
    const body = { notified: ['team@example.org'], language: 'de' as const, tracker: null, version: 1 };
    expect((await operator.call(setReportSettings, { body })).status).toBe(200);
    const send = async (message: string) => (await ada.call(saveFeedback, { body: { message } })).body.id;
    const first = await send('One');
    const mail = await post.arrived(1);
    expect(mail).toMatchObject({ to: ['team@example.org'], subject: 'Neue Meldung' });
    await expect.poll(waiting).toEqual([]);

    for (const message of ['Two', 'Three', 'Four']) await send(message);
    await ada.call(replyToOwnReport, {
      params: { reportId: first },
      body: { text: 'Still so.', eventId: event(1) },
    });
    expect(await waiting()).toHaveLength(1);
    expect(post.received).toHaveLength(1);
    clock.move(5 * 60_000 + 1_000);
    const digest = await post.arrived(2);
    expect(digest.subject).toBe('3 neue Meldungen, Antwort zu einer Meldung');
    expect(digest.text).toMatch(/#4[^]*#3[^]*#2[^]*#1[^]*Still so\./);
  });
});

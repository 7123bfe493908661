import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import { changeReport } from '#features/feedback/contract/change-reports.ts';
import { addNote, replyToOwnReport } from '#features/feedback/contract/conversation.ts';
import { getReport, setReportStatus } from '#features/feedback/contract/inbox.ts';
import { setReportSettings } from '#features/feedback/contract/report-settings.ts';
import type { TestApp } from '#server/testing/app.ts';
import { pictureFile } from '#server/testing/pictures.ts';
import type { SignedIn } from '#server/testing/signed-in.ts';

/** Two reports of the person with pictures, assignments and messages, and the settings. */
export async function createPersonalData(_app: TestApp, person: SignedIn): Promise<void> {
  const reportIds: string[] = [];
  for (const message of ['I am Adalgunde Unmistakable, and it is broken.', 'Again.']) {
    const sent = await person.call(saveFeedback, {
      body: {
        message,
        name: 'Adalgunde Unmistakable',
        email: person.email,
        url: `https://example.org/?mail=${encodeURIComponent(person.email)}`,
        tags: { who: person.email },
        associatedEventId: 'a'.repeat(32),
        context: {
          errors: [{ id: 'a'.repeat(32), at: 1, what: 'profile.load' }],
          failedCalls: [{ at: 2, call: `GET /${person.email}` }],
          flags: [{ key: 'NAME', value: 'Adalgunde Unmistakable' }],
        },
        attachments: [
          {
            data: Buffer.from(pictureFile('png', 8, 8)).toString('base64'),
            filename: 'Adalgunde.png',
            contentType: 'image/png',
          },
        ],
      },
    });
    reportIds.push(sent.body.id);
  }
  await person.call(setReportStatus, {
    params: { reportId: reportIds[0] ?? '' },
    body: { status: 'triaged', version: 1 },
  });
  const params = { reportId: reportIds[0] ?? '' };
  for (const assigneeId of [person.id, null, person.id]) {
    const { version } = (await person.call(getReport, { params })).body;
    await person.call(changeReport, { params, body: { assigneeId, version } });
  }
  const text = 'I, Adalgunde Unmistakable, add: it is still broken.';
  await person.call(addNote, { params, body: { text, eventId: '1'.repeat(32) } });
  await person.call(replyToOwnReport, { params, body: { text, eventId: '2'.repeat(32) } });
  await person.call(setReportSettings, {
    body: { notified: [person.email], language: 'en', tracker: null, version: 1 },
  });
}

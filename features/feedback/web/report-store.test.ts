import { IDBFactory, IDBKeyRange, IDBObjectStore as IDBObjectStoreOfTests } from 'fake-indexeddb';
import { createStore, promisifyRequest } from 'idb-keyval';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Draft } from './draft.ts';
import type { Picture } from './picture.ts';
import { findStored, removeReports, reportDatabase, reportTable, unwrittenChangeOf } from './report-place.ts';
import { createReportStore } from './report-store.ts';

const words: Draft = {
  eventId: 'e1',
  email: 'ada@example.org',
  name: 'Ada',
  message: 'It is broken.',
  picture: null,
  leftOut: [],
  leftOutCrumbs: [],
  sentAlong: null,
};
const picture: Picture = { blob: new Blob(['png']), filename: 'screenshot.png', width: 3, height: 2 };

beforeEach(() => {
  emptyDatabase();
  vi.stubGlobal('IDBKeyRange', IDBKeyRange);
  vi.stubGlobal('localStorage', createStorage());
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/**
 * The browser's database as it is before anything is stored, or after it lost what a page that ended had
 * begun.
 */
function emptyDatabase(): void {
  vi.stubGlobal('indexedDB', new IDBFactory());
}

function createStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

/** One page of this browser. */
function openPage(name = 'picture') {
  let ids = 0;
  const store = createReportStore(() => `${name}-${(ids += 1)}`);
  return {
    ...store,
    draft: async (person: string) => (await store.read(person)).draft,
    waiting: async (person: string) => (await store.read(person)).waiting,
  };
}

/** Everything in the database, by its keys. */
async function storedKeys(): Promise<unknown[]> {
  const keys = await createStore(reportDatabase, reportTable)('readonly', (table) =>
    promisifyRequest(table.getAllKeys()),
  );
  return keys.map((key) => (key as string[]).join('/'));
}

/** Until it is undone, the database has no space for a picture. */
function refusePictures() {
  const { put } = IDBObjectStoreOfTests.prototype;
  return vi.spyOn(IDBObjectStoreOfTests.prototype, 'put').mockImplementation(function refuse(
    this: IDBObjectStore,
    value: unknown,
    key?: IDBValidKey,
  ) {
    if (value instanceof Blob) throw new DOMException('no room', 'QuotaExceededError');
    return put.call(this, value, key);
  });
}

it('BUG-5: a draft is there again on the next page, with its picture, for its person alone', async () => {
  await openPage().edit('ada', { ...words, picture });
  const next = openPage();
  const found = await next.draft('ada');
  expect(found).toEqual({ ...words, picture: { ...picture, blob: expect.any(Blob) as Blob } });
  expect(await found?.picture?.blob.text()).toBe('png');
  expect(await next.draft('bob')).toBeNull();
});

it('BUG-5: a picture is written once, not again with each letter', async () => {
  const page = openPage();
  await page.edit('ada', { ...words, picture });
  const put = vi.spyOn(IDBObjectStoreOfTests.prototype, 'put');
  await page.edit('ada', { ...words, picture, message: 'It is broken, and how.' });
  expect(put).toHaveBeenCalledTimes(1);
  expect((await openPage().draft('ada'))?.picture?.filename).toBe('screenshot.png');
  // Another tab has written in between, without it.
  await openPage().edit('ada', words);
  await page.read('ada');
  await page.edit('ada', { ...words, picture });
  expect(put).toHaveBeenCalledTimes(4);
});

it('BUG-5: a picture that was removed or replaced is not stored', async () => {
  const page = openPage();
  await page.edit('ada', { ...words, picture });
  await page.edit('ada', { ...words, picture: { ...picture, filename: 'other.png' } });
  expect(await storedKeys()).toEqual(['ada', 'ada/picture-2']);
  await page.edit('ada', words);
  expect(await storedKeys()).toEqual(['ada']);
});

it('BUG-5: a draft without a picture removes the one that another page has stored', async () => {
  await openPage().edit('ada', { ...words, picture });
  await openPage().edit('ada', words);
  expect(await storedKeys()).toEqual(['ada']);
});

it('BUG-5: a picture that another page has put in its place is read', async () => {
  const page = openPage();
  await page.edit('ada', { ...words, picture });
  const other = openPage('other');
  await other.edit('ada', { ...words, picture: { ...picture, filename: 'other.png' } });
  expect((await page.draft('ada'))?.picture?.filename).toBe('other.png');
});

it('BUG-5: where the picture is gone the words are left', async () => {
  await openPage().edit('ada', { ...words, picture });
  await createStore(reportDatabase, reportTable)('readwrite', (table) => {
    table.delete(['ada', 'picture-1']);
    return promisifyRequest(table.transaction);
  });
  expect(await openPage().draft('ada')).toEqual(words);
});

it('BUG-5: the picture that was read is known to be stored', async () => {
  await openPage().edit('ada', { ...words, picture });
  const page = openPage();
  const found = await page.draft('ada');
  expect((await page.draft('ada'))?.picture).toBe(found?.picture);
  const put = vi.spyOn(IDBObjectStoreOfTests.prototype, 'put');
  await page.edit('ada', { ...words, picture: found?.picture ?? null });
  expect(put).toHaveBeenCalledTimes(1);
});

it('BUG-5: what another release has written is not understood', async () => {
  await createStore(reportDatabase, reportTable)('readwrite', (table) => {
    table.put({ ...words, form: 2 }, ['ada']);
    return promisifyRequest(table.transaction);
  });
  expect(await openPage().draft('ada')).toBeNull();
});

it('BUG-5: where there is no space for the picture the words are stored, and the picture is not tried again', async () => {
  const page = openPage();
  const put = refusePictures();
  await expect(page.edit('ada', { ...words, picture })).rejects.toThrow('no room');
  expect(await openPage().draft('ada')).toEqual(words);
  put.mockClear();
  await page.edit('ada', { ...words, picture, message: 'Still' });
  expect(put).toHaveBeenCalledTimes(1);
  expect((await openPage().draft('ada'))?.message).toBe('Still');
  // Another one may be smaller.
  put.mockRestore();
  await page.edit('ada', { ...words, picture: { ...picture, filename: 'small.png' } });
  expect((await openPage().draft('ada'))?.picture?.filename).toBe('small.png');
});

it('BUG-5: words that cannot be stored are not tried a second time without a picture that is not there', async () => {
  const page = openPage();
  const put = vi.spyOn(IDBObjectStoreOfTests.prototype, 'put').mockImplementation(() => {
    throw new DOMException('no room', 'QuotaExceededError');
  });
  await expect(page.edit('ada', words)).rejects.toThrow('no room');
  expect(put).toHaveBeenCalledTimes(1);
  await expect(page.edit('ada', { ...words, picture })).rejects.toThrow('no room');
  put.mockClear();
  await expect(page.edit('ada', { ...words, picture })).rejects.toThrow('no room');
  expect(put).toHaveBeenCalledTimes(1);
});

it('BUG-5: a draft that was sent is removed with its picture; one that was written since stays', async () => {
  const page = openPage();
  await page.edit('ada', { ...words, picture });
  await page.remove('ada', 'another');
  expect(await storedKeys()).toEqual(['ada', 'ada/picture-1']);
  await page.remove('ada', 'e1');
  expect(await storedKeys()).toEqual([]);
});

it("BUG-5: one person's draft is removed and the other's stays", async () => {
  const page = openPage();
  await page.edit('ada', words);
  await page.edit('bob', words);
  await page.remove('ada');
  expect(await storedKeys()).toEqual(['bob']);
});

it('BUG-5: what a page that ends has not written to the database is there on the next one, and then in the database', async () => {
  const page = openPage();
  page.edit('ada', words).catch(() => {});
  page.leave();
  emptyDatabase();
  const next = openPage();
  expect(await next.draft('ada')).toEqual(words);
  expect(unwrittenChangeOf('ada')).toBeUndefined();
  expect(await openPage().draft('ada')).toEqual(words);
});

it('BUG-5: a page that goes on removes its unwritten change, once the database has it', async () => {
  const page = openPage();
  const writing = page.edit('ada', words);
  page.leave();
  expect(unwrittenChangeOf('ada')).toMatchObject({ eventId: 'e1' });
  await writing;
  expect(unwrittenChangeOf('ada')).toBeUndefined();
  // The database has everything.
  page.leave();
  expect(unwrittenChangeOf('ada')).toBeUndefined();
});

it('BUG-5: an unwritten change of a later write is not removed with an earlier one', async () => {
  const page = openPage();
  const first = page.edit('ada', words);
  const second = page.edit('ada', { ...words, message: 'Later' });
  page.leave();
  await first;
  expect(unwrittenChangeOf('ada')).toMatchObject({ message: 'Later' });
  await second;
  expect(unwrittenChangeOf('ada')).toBeUndefined();
});

it('BUG-5: a removal that a page could not finish is done by the next one', async () => {
  await openPage().edit('ada', words);
  const page = openPage();
  page.remove('ada').catch(() => {});
  page.leave();
  emptyDatabase();
  await write('ada', words);
  expect(unwrittenChangeOf('ada')).toBeNull();
  expect(await openPage().draft('ada')).toBeNull();
  expect(unwrittenChangeOf('ada')).toBeUndefined();
});

it('BUG-5: what a person discarded at the sign-out is gone, also where the page ended first', async () => {
  const page = openPage();
  await page.edit('ada', words);
  await page.wait('ada', { draft: words, at: 1, failed: null });
  await page.edit('bob', words);
  const { indexedDB } = globalThis;
  vi.stubGlobal('indexedDB', { open: () => new EventTarget() });
  void removeReports('ada');
  vi.stubGlobal('indexedDB', indexedDB);
  expect(await openPage().waiting('ada')).toEqual([]);
  expect(await openPage().draft('ada')).toBeNull();
  expect(await openPage().draft('bob')).toMatchObject(words);
  expect(unwrittenChangeOf('ada')).toBeUndefined();
});

it('BUG-5: the next sign-in finishes what a sign-out could not, and finds nothing to send', async () => {
  await openPage().wait('ada', { draft: words, at: 1, failed: null });
  const { indexedDB } = globalThis;
  vi.stubGlobal('indexedDB', { open: () => new EventTarget() });
  void removeReports('ada');
  vi.stubGlobal('indexedDB', indexedDB);
  const found = vi.fn<() => void>();
  void findStored('ada').then(({ toSend }) => toSend && found());
  await expect.poll(() => unwrittenChangeOf('ada')).toBeUndefined();
  expect(await storedKeys()).toEqual([]);
  void findStored('ada').then(({ toSend }) => toSend && found());
  void removeReports('bob');
  await expect.poll(() => unwrittenChangeOf('bob')).toBeUndefined();
  expect(found).not.toHaveBeenCalled();
});

it('BUG-5: a sent draft whose page ended is removed by the next one, and nothing else is', async () => {
  for (const [eventId, expected] of [
    ['e1', null],
    ['another', words],
  ] as const) {
    emptyDatabase();
    const page = openPage();
    page.remove('ada', eventId).catch(() => {});
    page.leave();
    emptyDatabase();
    await write('ada', words);
    expect(await openPage().draft('ada')).toEqual(expected);
    expect(unwrittenChangeOf('ada')).toBeUndefined();
  }
});

it('BUG-5: sent while it was still being written, it is not there for the next page', async () => {
  const page = openPage();
  page.edit('ada', words).catch(() => {});
  page.remove('ada', 'e1').catch(() => {});
  page.leave();
  emptyDatabase();
  await write('ada', words);
  expect(await openPage().draft('ada')).toBeNull();
});

it('BUG-5: sent while it was still being written, it is gone once both are done', async () => {
  const page = openPage();
  await Promise.all([page.edit('ada', words), page.remove('ada', 'e1')]);
  expect(await storedKeys()).toEqual([]);
});

it("BUG-5: a draft that was sent is removed while another person's is being written", async () => {
  const page = openPage();
  await page.edit('ada', words);
  const writing = page.edit('bob', { ...words, message: 'Mine' });
  const removing = page.remove('ada', 'e1');
  page.leave();
  expect(unwrittenChangeOf('bob')).toMatchObject({ message: 'Mine' });
  await Promise.all([writing, removing]);
  expect(await storedKeys()).toEqual(['bob']);
});

it('BUG-5: what is written while an earlier one is removed as sent is stored by a page that ends', async () => {
  const page = openPage();
  const later = { ...words, eventId: 'e2', message: 'Later' };
  page.edit('ada', later).catch(() => {});
  page.remove('ada', 'e1').catch(() => {});
  page.leave();
  emptyDatabase();
  expect(await openPage().draft('ada')).toEqual(later);
});

it('BUG-5: with a draft that was sent, its unwritten change is removed, and that of another draft is not', async () => {
  for (const [eventId, isForgotten] of [
    ['e1', true],
    ['e2', false],
  ] as const) {
    const page = openPage();
    await page.edit('ada', words);
    leaveUnwritten('ada', { ...words, form: 1, eventId });
    await page.remove('ada', 'e1');
    expect(unwrittenChangeOf('ada') === undefined).toBe(isForgotten);
  }
});

it('BUG-5: an unwritten change that is not a draft is not touched and hides nothing', async () => {
  await openPage().edit('ada', words);
  leaveUnwritten('ada', { form: 9 });
  expect(await openPage().draft('ada')).toEqual(words);
});

it('BUG-5: waiting reports are stored with the draft, in their order, for their person alone', async () => {
  const sentAlong = { url: '', context: {} };
  const failed = { status: 422, code: 'INVALID_BODY', errors: [], final: true };
  const first = { draft: { ...words, sentAlong, picture }, at: 1, failed: null };
  const second = { draft: { ...words, sentAlong, eventId: 'e0' }, at: 2, failed };
  const page = openPage();
  await page.edit('ada', { ...words, eventId: 'e9', picture });
  await page.wait('ada', second);
  await page.wait('ada', first);
  await page.wait('bob', { ...first, at: 3 });
  // Neither a new draft nor a sent one changes the reports that wait.
  await page.edit('ada', { ...words, eventId: 'e8' });
  await page.remove('ada');

  const found = await openPage().waiting('ada');
  expect(found.map(({ draft, at, failed: why }) => [draft.eventId, at, why?.code])).toEqual([
    ['e1', 1, undefined],
    ['e0', 2, 'INVALID_BODY'],
  ]);
  expect(await found[0]?.draft.picture?.blob.text()).toBe('png');
  await page.remove('ada', 'e1');
  expect((await page.waiting('ada')).map(({ at }) => at)).toEqual([2]);
  expect((await page.waiting('bob')).map(({ at }) => at)).toEqual([3]);
});

it('BUG-5: a report is edited or waits, and no space for it in one state leaves it in the other', async () => {
  const page = openPage();
  const waiting = { draft: { ...words, picture }, at: 1, failed: null };
  await page.edit('ada', waiting.draft);
  const put = vi.spyOn(IDBObjectStoreOfTests.prototype, 'put').mockImplementation(() => {
    throw new DOMException('no room', 'QuotaExceededError');
  });
  await expect(page.wait('ada', waiting)).rejects.toThrow('no room');
  expect(await storedKeys()).toEqual(['ada', 'ada/picture-1']);
  put.mockRestore();
  // What an earlier page could not write in time is older than the report that waits.
  leaveUnwritten('ada', { ...words, form: 1 });
  await page.wait('ada', waiting);
  expect(unwrittenChangeOf('ada')).toBeUndefined();
  expect(await storedKeys()).toEqual(['0/ada/e1']);
  const full = refusePictures();
  await expect(page.edit('ada', { ...words, picture: { ...picture } })).rejects.toThrow('no room');
  expect(await storedKeys()).toContain('0/ada/e1');
  full.mockRestore();
  await page.edit('ada', { ...words, picture: { ...picture } });
  expect(await storedKeys()).toEqual(['ada', expect.stringMatching('ada/')]);
});

it('BUG-5: a browser that has no database stores nothing, and reports it', async () => {
  vi.stubGlobal('indexedDB', undefined);
  await expect(openPage().read('ada')).rejects.toThrow('undefined');
  await expect(openPage().edit('ada', words)).rejects.toThrow('undefined');
  expect(await findStored('ada')).toEqual({ draft: false, waiting: false, toSend: false });
});

it('BUG-5: waiting reports of an earlier release keep why they failed', async () => {
  const stored = (part: object) => openPage().wait('ada', { draft: words, at: 1, ...part } as never);
  const read = async () => (await openPage().waiting('ada')).map(({ failed }) => failed);
  const refusal = { status: 422, code: 'INVALID_BODY', errors: [] };
  await stored({ refusal });
  expect(await read()).toEqual([{ ...refusal, final: true }]);
  await stored({ refusal: null, trouble: { status: 503, code: '' } });
  expect(await read()).toEqual([{ status: 503, code: '', errors: [], final: false }]);
  await stored({ refusal: null });
  expect(await read()).toEqual([null]);
});

it('SES-7 BUG-5: a page and a sign-out find what is stored of their person; a sign-out removes it', async () => {
  const sent = { ...words, sentAlong: { url: '', context: {} } };
  const nothing = { draft: false, waiting: false, toSend: false };
  expect(await findStored('ada')).toEqual(nothing);
  const page = openPage();
  await page.edit('ada', words);
  expect(await findStored('ada')).toEqual({ ...nothing, draft: true });
  await page.edit('ada', sent);
  expect(await findStored('ada')).toEqual({ ...nothing, draft: true, toSend: true });
  await page.wait('ada', { draft: sent, at: 1, failed: null });
  await page.wait('bob', { draft: sent, at: 1, failed: null });
  expect(await findStored('ada')).toEqual({ ...nothing, waiting: true, toSend: true });
  expect(await findStored('eve')).toEqual(nothing);
  await page.edit('ada', { ...words, eventId: 'e2' });
  void removeReports('ada');
  await expect.poll(storedKeys).toEqual(['0/bob/e1']);
  expect(await findStored('ada')).toEqual(nothing);
});

/** Writes as a page does, without removing the unwritten changes. */
async function write(person: string, draft: Draft): Promise<void> {
  const left = unwrittenChangeOf(person);
  await openPage().edit(person, draft);
  if (left !== undefined) leaveUnwritten(person, left);
}

/** As a page that ends does, where the database has not taken them. */
function leaveUnwritten(person: string, left: unknown): void {
  localStorage.setItem(`portico.feedback.last-words.${person}`, JSON.stringify(left));
}

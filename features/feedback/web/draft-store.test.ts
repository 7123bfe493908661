import { IDBFactory, IDBKeyRange, IDBObjectStore as IDBObjectStoreOfTests } from 'fake-indexeddb';
import { createStore, promisifyRequest } from 'idb-keyval';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Draft } from './draft.ts';
import { draftDatabase, draftTable, findStored, removeDrafts, unwrittenChangeOf } from './draft-place.ts';
import { createDraftStore } from './draft-store.ts';
import type { Picture } from './picture.ts';

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
function openPage() {
  let ids = 0;
  return createDraftStore(() => `picture-${(ids += 1)}`);
}

/** Everything in the database, by its keys. */
async function storedKeys(): Promise<unknown[]> {
  const keys = await createStore(draftDatabase, draftTable)('readonly', (table) =>
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
  await openPage().write('ada', { ...words, picture });
  const next = openPage();
  const found = await next.read('ada');
  expect(found).toEqual({ ...words, picture: { ...picture, blob: expect.any(Blob) as Blob } });
  expect(await found?.picture?.blob.text()).toBe('png');
  expect(await next.read('bob')).toBeNull();
});

it('BUG-5: a picture is written once, not again with each letter', async () => {
  const page = openPage();
  await page.write('ada', { ...words, picture });
  const put = vi.spyOn(IDBObjectStoreOfTests.prototype, 'put');
  await page.write('ada', { ...words, picture, message: 'It is broken, and how.' });
  expect(put).toHaveBeenCalledTimes(1);
  expect((await openPage().read('ada'))?.picture?.filename).toBe('screenshot.png');
  // Another tab may have written in between, without it.
  page.changedElsewhere();
  await page.write('ada', { ...words, picture });
  expect(put).toHaveBeenCalledTimes(3);
});

it('BUG-5: a picture that was removed or replaced is not stored', async () => {
  const page = openPage();
  await page.write('ada', { ...words, picture });
  await page.write('ada', { ...words, picture: { ...picture, filename: 'other.png' } });
  expect(await storedKeys()).toEqual(['ada', 'ada/picture-2']);
  await page.write('ada', words);
  expect(await storedKeys()).toEqual(['ada']);
});

it('BUG-5: a draft without a picture removes the one that another page has stored', async () => {
  await openPage().write('ada', { ...words, picture });
  await openPage().write('ada', words);
  expect(await storedKeys()).toEqual(['ada']);
});

it('BUG-5: a picture that another page has put in its place is read', async () => {
  const page = openPage();
  await page.write('ada', { ...words, picture });
  const other = createDraftStore(() => 'other');
  await other.write('ada', { ...words, picture: { ...picture, filename: 'other.png' } });
  expect((await page.read('ada'))?.picture?.filename).toBe('other.png');
});

it('BUG-5: where the picture is gone the words are left', async () => {
  await openPage().write('ada', { ...words, picture });
  await createStore(draftDatabase, draftTable)('readwrite', (table) => {
    table.delete(['ada', 'picture-1']);
    return promisifyRequest(table.transaction);
  });
  expect(await openPage().read('ada')).toEqual(words);
});

it('BUG-5: the picture that was read is known to be stored', async () => {
  await openPage().write('ada', { ...words, picture });
  const page = openPage();
  const found = await page.read('ada');
  expect((await page.read('ada'))?.picture).toBe(found?.picture);
  const put = vi.spyOn(IDBObjectStoreOfTests.prototype, 'put');
  await page.write('ada', { ...words, picture: found?.picture ?? null });
  expect(put).toHaveBeenCalledTimes(1);
});

it('BUG-5: what another release has written is not understood', async () => {
  await createStore(draftDatabase, draftTable)('readwrite', (table) => {
    table.put({ ...words, form: 2 }, ['ada']);
    return promisifyRequest(table.transaction);
  });
  expect(await openPage().read('ada')).toBeNull();
});

it('BUG-5: where there is no space for the picture the words are stored, and the picture is not tried again', async () => {
  const page = openPage();
  const put = refusePictures();
  await expect(page.write('ada', { ...words, picture })).rejects.toThrow('no room');
  expect(await openPage().read('ada')).toEqual(words);
  put.mockClear();
  await page.write('ada', { ...words, picture, message: 'Still' });
  expect(put).toHaveBeenCalledTimes(1);
  expect((await openPage().read('ada'))?.message).toBe('Still');
  // Another one may be smaller.
  put.mockRestore();
  await page.write('ada', { ...words, picture: { ...picture, filename: 'small.png' } });
  expect((await openPage().read('ada'))?.picture?.filename).toBe('small.png');
});

it('BUG-5: words that cannot be stored are not tried a second time without a picture that is not there', async () => {
  const page = openPage();
  const put = vi.spyOn(IDBObjectStoreOfTests.prototype, 'put').mockImplementation(() => {
    throw new DOMException('no room', 'QuotaExceededError');
  });
  await expect(page.write('ada', words)).rejects.toThrow('no room');
  expect(put).toHaveBeenCalledTimes(1);
  await expect(page.write('ada', { ...words, picture })).rejects.toThrow('no room');
  put.mockClear();
  await expect(page.write('ada', { ...words, picture })).rejects.toThrow('no room');
  expect(put).toHaveBeenCalledTimes(1);
});

it('BUG-5: a draft that was sent is removed with its picture; one that was written since stays', async () => {
  const page = openPage();
  await page.write('ada', { ...words, picture });
  await page.remove('ada', 'another');
  expect(await storedKeys()).toEqual(['ada', 'ada/picture-1']);
  await page.remove('ada', 'e1');
  expect(await storedKeys()).toEqual([]);
});

it("BUG-5: one person's draft is removed and the other's stays", async () => {
  const page = openPage();
  await page.write('ada', words);
  await page.write('bob', words);
  await page.remove('ada');
  expect(await storedKeys()).toEqual(['bob']);
});

it('BUG-5: what a page that ends has not written to the database is there on the next one, and then in the database', async () => {
  const page = openPage();
  page.write('ada', words).catch(() => {});
  page.leave();
  emptyDatabase();
  const next = openPage();
  expect(await next.read('ada')).toEqual(words);
  expect(unwrittenChangeOf('ada')).toBeUndefined();
  expect(await openPage().read('ada')).toEqual(words);
});

it('BUG-5: a page that ends stores nothing outside the database if that has everything', async () => {
  const page = openPage();
  await page.write('ada', words);
  page.leave();
  expect(unwrittenChangeOf('ada')).toBeUndefined();
});

it('BUG-5: a page that goes on removes its unwritten change, once the database has it', async () => {
  const page = openPage();
  const writing = page.write('ada', words);
  page.leave();
  expect(unwrittenChangeOf('ada')).toMatchObject({ eventId: 'e1' });
  await writing;
  expect(unwrittenChangeOf('ada')).toBeUndefined();
});

it('BUG-5: an unwritten change of a later write is not removed with an earlier one', async () => {
  const page = openPage();
  const first = page.write('ada', words);
  const second = page.write('ada', { ...words, message: 'Later' });
  page.leave();
  await first;
  expect(unwrittenChangeOf('ada')).toMatchObject({ message: 'Later' });
  await second;
  expect(unwrittenChangeOf('ada')).toBeUndefined();
});

it('BUG-5: a removal that a page could not finish is done by the next one', async () => {
  await openPage().write('ada', words);
  const page = openPage();
  page.remove('ada').catch(() => {});
  page.leave();
  emptyDatabase();
  await write('ada', words);
  expect(unwrittenChangeOf('ada')).toBeNull();
  expect(await openPage().read('ada')).toBeNull();
  expect(unwrittenChangeOf('ada')).toBeUndefined();
});

it('BUG-5: what a person discarded at the sign-out is gone, also where the page ended first', async () => {
  const page = openPage();
  await page.write('ada', words);
  await page.putWaiting('ada', { draft: words, at: 1, failed: null });
  await page.write('bob', words);
  const { indexedDB } = globalThis;
  vi.stubGlobal('indexedDB', { open: () => new EventTarget() });
  void removeDrafts('ada');
  vi.stubGlobal('indexedDB', indexedDB);
  expect(await openPage().readWaiting('ada')).toEqual([]);
  expect(await openPage().read('ada')).toBeNull();
  expect(await openPage().read('bob')).toMatchObject(words);
  expect(unwrittenChangeOf('ada')).toBeUndefined();
});

it('BUG-5: the next sign-in finishes what a sign-out could not, and finds nothing to send', async () => {
  await openPage().putWaiting('ada', { draft: words, at: 1, failed: null });
  const { indexedDB } = globalThis;
  vi.stubGlobal('indexedDB', { open: () => new EventTarget() });
  void removeDrafts('ada');
  vi.stubGlobal('indexedDB', indexedDB);
  const found = vi.fn<() => void>();
  void findStored('ada').then(({ toSend }) => toSend && found());
  await expect.poll(() => unwrittenChangeOf('ada')).toBeUndefined();
  expect(await storedKeys()).toEqual([]);
  void findStored('ada').then(({ toSend }) => toSend && found());
  void removeDrafts('bob');
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
    expect(await openPage().read('ada')).toEqual(expected);
    expect(unwrittenChangeOf('ada')).toBeUndefined();
  }
});

it('BUG-5: sent while it was still being written, it is not there for the next page', async () => {
  const page = openPage();
  page.write('ada', words).catch(() => {});
  page.remove('ada', 'e1').catch(() => {});
  page.leave();
  emptyDatabase();
  await write('ada', words);
  expect(await openPage().read('ada')).toBeNull();
});

it('BUG-5: sent while it was still being written, it is gone once both are done', async () => {
  const page = openPage();
  await Promise.all([page.write('ada', words), page.remove('ada', 'e1')]);
  expect(await storedKeys()).toEqual([]);
});

it("BUG-5: a draft that was sent is removed while another person's is being written", async () => {
  const page = openPage();
  await page.write('ada', words);
  const writing = page.write('bob', { ...words, message: 'Mine' });
  const removing = page.remove('ada', 'e1');
  page.leave();
  expect(unwrittenChangeOf('bob')).toMatchObject({ message: 'Mine' });
  await Promise.all([writing, removing]);
  expect(await storedKeys()).toEqual(['bob']);
});

it('BUG-5: what is written while an earlier one is removed as sent is stored by a page that ends', async () => {
  const page = openPage();
  const later = { ...words, eventId: 'e2', message: 'Later' };
  page.write('ada', later).catch(() => {});
  page.remove('ada', 'e1').catch(() => {});
  page.leave();
  emptyDatabase();
  expect(await openPage().read('ada')).toEqual(later);
});

it('BUG-5: with a draft that was sent, its unwritten change is removed, and that of another draft is not', async () => {
  for (const [eventId, isForgotten] of [
    ['e1', true],
    ['e2', false],
  ] as const) {
    const page = openPage();
    await page.write('ada', words);
    leaveUnwritten('ada', { ...words, form: 1, eventId });
    await page.remove('ada', 'e1');
    expect(unwrittenChangeOf('ada') === undefined).toBe(isForgotten);
  }
});

it('BUG-5: an unwritten change that is not a draft is not touched and hides nothing', async () => {
  await openPage().write('ada', words);
  leaveUnwritten('ada', { form: 9 });
  expect(await openPage().read('ada')).toEqual(words);
});

/** Whether a page that has just opened finds something to send for that person. */
function finds(person: string): Promise<boolean> {
  return new Promise((resolve) => {
    void findStored(person).then(({ toSend }) => resolve(toSend));
    // As long as the database takes to answer the same question.
    void (async () => {
      await storedKeys();
      await storedKeys();
      resolve(false);
    })();
  });
}

it('BUG-5: waiting reports are stored with the draft, in their order, for their person alone', async () => {
  const sentAlong = { url: '', context: {} };
  const failed = { status: 422, code: 'INVALID_BODY', errors: [], final: true };
  const first = { draft: { ...words, sentAlong, picture }, at: 1, failed: null };
  const second = { draft: { ...words, sentAlong, eventId: 'e0' }, at: 2, failed };
  const page = openPage();
  await page.write('ada', { ...words, eventId: 'e9', picture });
  await page.putWaiting('ada', second);
  await page.putWaiting('ada', first);
  await page.putWaiting('bob', { ...first, at: 3 });
  // A new draft and a sent one do not touch what waits.
  await page.write('ada', { ...words, eventId: 'e8' });
  await page.remove('ada');

  const found = await openPage().readWaiting('ada');
  expect(found.map(({ draft, at, failed: why }) => [draft.eventId, at, why?.code])).toEqual([
    ['e1', 1, undefined],
    ['e0', 2, 'INVALID_BODY'],
  ]);
  expect(await found[0]?.draft.picture?.blob.text()).toBe('png');
  await page.removeWaiting('ada', 'e1');
  expect((await page.readWaiting('ada')).map(({ at }) => at)).toEqual([2]);
  expect((await page.readWaiting('bob')).map(({ at }) => at)).toEqual([3]);
});

it('BUG-5: waiting reports of an earlier release keep why they failed', async () => {
  const stored = (part: object) => openPage().putWaiting('ada', { draft: words, at: 1, ...part } as never);
  const read = async () => (await openPage().readWaiting('ada')).map(({ failed }) => failed);
  const refusal = { status: 422, code: 'INVALID_BODY', errors: [] };
  await stored({ refusal });
  expect(await read()).toEqual([{ ...refusal, final: true }]);
  await stored({ refusal: null, trouble: { status: 503, code: '' } });
  expect(await read()).toEqual([{ status: 503, code: '', errors: [], final: false }]);
  await stored({ refusal: null });
  expect(await read()).toEqual([null]);
});

it('BUG-5: a page that opens finds what was to be sent, and a sign-out removes it', async () => {
  const sentAlong = { url: '', context: {} };
  expect(await finds('ada')).toBe(false);
  const page = openPage();
  await page.write('ada', words);
  expect(await finds('ada')).toBe(false);
  await page.write('ada', { ...words, sentAlong });
  expect(await finds('ada')).toBe(true);
  await page.remove('ada');
  await page.putWaiting('ada', { draft: { ...words, sentAlong }, at: 1, failed: null });
  await page.putWaiting('bob', { draft: { ...words, sentAlong }, at: 1, failed: null });
  expect([await finds('ada'), await finds('eve')]).toEqual([true, false]);
  await page.write('ada', words);
  void removeDrafts('ada');
  await expect.poll(storedKeys).toEqual(['0/bob/e1']);
  expect(await finds('ada')).toBe(false);
});

it('SES-7 BUG-5: a sign-out finds the draft and the reports that wait, of its person alone', async () => {
  const found = async (person: string) =>
    await findStored(person).then(({ draft, waiting }) => [draft, waiting]);
  expect(await found('ada')).toEqual([false, false]);
  const page = openPage();
  await page.write('bob', words);
  await page.putWaiting('ada', {
    draft: { ...words, sentAlong: { url: '', context: {} } },
    at: 1,
    failed: null,
  });
  expect([await found('ada'), await found('bob')]).toEqual([
    [false, true],
    [true, false],
  ]);
});

/** Writes as a page does, without removing the unwritten changes. */
async function write(person: string, draft: Draft): Promise<void> {
  const left = unwrittenChangeOf(person);
  await openPage().write(person, draft);
  if (left !== undefined) leaveUnwritten(person, left);
}

/** As a page that ends does, where the database has not taken them. */
function leaveUnwritten(person: string, left: unknown): void {
  localStorage.setItem(`portico.feedback.last-words.${person}`, JSON.stringify(left));
}

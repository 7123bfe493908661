import { describe, expect, it } from 'vitest';
import { createManualClock } from '#web/testing/manual-clock.ts';
import type { Picture } from '../picture.ts';
import type { NoCapture } from './capture-tab.ts';
import type { Size } from './geometry.ts';
import type { History } from './history.ts';
import type { EditorAction } from './picture-edits.ts';
import { createPictureEditor } from './picture-editor.ts';
import type { UnreadablePicture } from './read-picture.ts';
import { regionOf, type Work } from './work.ts';

type Base = Size & { readonly of: string };

const base = (of: string): Base => ({ width: 800, height: 600, of });
const box = { x: 10, y: 20, width: 100, height: 50 };
const least = { width: 66, height: 66 };

/** An editor whose drawings show from which work they were made. */
function createScene(histories = new WeakMap<Blob, History<Work<Base>>>(), clock = createManualClock()) {
  const reported: (Picture | null)[] = [];
  const busy: boolean[] = [];
  const actions: EditorAction[] = [];
  const worksOf = new Map<Blob, Work<Base>>();
  const scene = {
    file: base('file') as Base | UnreadablePicture | Promise<Base>,
    tab: base('tab') as Base | NoCapture | Promise<Base>,
    /** Held drawings wait for this. */
    gate: Promise.resolve(),
    broken: false,
    address: 'https://portico.test/here',
  };
  const editor = createPictureEditor<Base>({
    read: async () => scene.file,
    capture: async () => scene.tab,
    async draw(work) {
      await scene.gate;
      if (scene.broken) throw new Error('no room');
      const blob = new Blob(['png']);
      worksOf.set(blob, work);
      const { width, height } = regionOf(work);
      return { blob, filename: 'screenshot.png', width, height };
    },
    address: () => scene.address,
    onPicture: (picture) => reported.push(picture),
    onBusy: (is) => busy.push(is),
    onAction: (action) => actions.push(action),
    histories,
    clock,
  });
  const present = () => editor.state.get().history?.present;
  const workOf = (picture: Picture | null | undefined) =>
    picture == null ? undefined : worksOf.get(picture.blob);
  return { editor, scene, reported, busy, actions, clock, histories, present, workOf };
}

async function createSceneOfTab() {
  const scene = createScene();
  await scene.editor.takeTab();
  return scene;
}

/** A promise and what resolves it. */
function held<T>() {
  let release = (_value: T) => {};
  const value = new Promise<T>((resolve) => {
    release = resolve;
  });
  return { value, release };
}

describe('BUG-3: a picture comes', () => {
  it('BUG-7: keeps the address of the page on which it was taken, through edits on another page and undone', async () => {
    const { editor, scene, reported } = await createSceneOfTab();
    scene.address = 'https://portico.test/there';
    editor.addMark({ kind: 'highlight', ...box });
    editor.flush();
    await expect
      .poll(() => reported.map((picture) => picture?.address))
      .toEqual(['https://portico.test/here', 'https://portico.test/here']);
    await editor.takeFile(new Blob());
    expect(reported.at(-1)?.address).toBe('https://portico.test/there');
    editor.undo();
    editor.flush();
    await expect.poll(() => reported.at(-1)?.address).toBe('https://portico.test/here');

    const next = createScene();
    next.scene.address = 'https://portico.test/next';
    await next.editor.open(reported.at(-1) ?? null);
    next.editor.addMark({ kind: 'highlight', ...box });
    next.editor.flush();
    await expect.poll(() => next.reported.at(-1)?.address).toBe('https://portico.test/here');
  });

  it('BUG-3: it is reported as soon as it is there, uncropped, and is busy until then', async () => {
    const { reported, busy, actions, workOf } = await createSceneOfTab();
    expect(reported).toHaveLength(1);
    expect(reported[0]).toMatchObject({ filename: 'screenshot.png', width: 800, height: 600 });
    expect(workOf(reported[0])).toMatchObject({ base: base('tab'), crop: null, marks: [] });
    expect(busy).toEqual([true, false]);
    expect(actions).toEqual(['ADDED']);
  });

  it('BUG-3: a question that the person closes is no error', async () => {
    const { editor, scene, reported, busy } = createScene();
    scene.tab = 'CANCELLED';
    await editor.takeTab();
    expect(editor.state.get()).toMatchObject({ problem: null, working: false, history: null });
    expect(reported).toEqual([]);
    expect(busy).toEqual([true, false]);
  });

  it.each(['REFUSED', 'FAILED', 'TIMED_OUT'] as const)('BUG-3: %s is an error in words', async (problem) => {
    const { editor, scene } = createScene();
    scene.tab = problem;
    await editor.takeTab();
    expect(editor.state.get()).toMatchObject({ problem, working: false });
    scene.tab = base('tab');
    await editor.takeTab();
    expect(editor.state.get().problem).toBeNull();
  });

  it('BUG-3: a file that cannot be read leaves the picture that is there', async () => {
    const { editor, scene, present } = await createSceneOfTab();
    scene.file = 'TOO_LARGE';
    await editor.takeFile(new Blob());
    expect(editor.state.get().problem).toBe('TOO_LARGE');
    expect(present()?.base.of).toBe('tab');
  });

  it('BUG-3: another one replaces it, which can be undone', async () => {
    const { editor, present, actions } = await createSceneOfTab();
    editor.addMark({ kind: 'redaction', ...box });
    await editor.takeFile(new Blob());
    expect(present()).toMatchObject({ base: base('file'), crop: null, marks: [] });
    editor.undo();
    expect(present()?.base.of).toBe('tab');
    expect(present()?.marks).toHaveLength(1);
    expect(actions).toEqual(['ADDED', 'REPLACED', 'UNDONE']);
  });

  it('BUG-3: of two that are being loaded the later one is used', async () => {
    const { editor, scene, present, busy } = createScene();
    const slow = held<Base>();
    scene.tab = slow.value;
    const first = editor.takeTab();
    await editor.takeFile(new Blob());
    slow.release(base('tab'));
    await first;
    expect(present()?.base.of).toBe('file');
    expect(busy.at(-1)).toBe(false);
  });

  it('BUG-3: one that arrives after the screenshot was removed is dropped', async () => {
    const { editor, scene, present, busy, reported } = createScene();
    const slow = held<Base>();
    scene.tab = slow.value;
    const taking = editor.takeTab();
    editor.remove();
    slow.release(base('tab'));
    await taking;
    expect(present()).toBeUndefined();
    expect(reported).toEqual([]);
    expect(busy.at(-1)).toBe(false);
  });
});

describe('BUG-3: what is done goes into the draft', () => {
  it('BUG-3: a change is reported once the pointer rests', async () => {
    const { editor, reported, clock, workOf } = await createSceneOfTab();
    editor.addMark({ kind: 'highlight', ...box });
    await clock.pass(300);
    editor.addMark({ kind: 'redaction', ...box });
    await clock.pass(300);
    expect(reported).toHaveLength(1);
    await clock.pass(200);
    expect(reported).toHaveLength(2);
    expect(workOf(reported[1])?.marks.map(({ kind }) => kind)).toEqual(['highlight', 'redaction']);
  });

  it('BUG-3: a picture that has changed while it was drawn is not reported', async () => {
    const { editor, scene, reported, clock, workOf } = await createSceneOfTab();
    const slow = held<void>();
    scene.gate = slow.value;
    editor.addMark({ kind: 'highlight', ...box });
    await clock.pass(500);
    editor.addMark({ kind: 'redaction', ...box });
    scene.gate = Promise.resolve();
    slow.release();
    await clock.pass(500);
    expect(reported.map((picture) => workOf(picture)?.marks.length)).toEqual([0, 2]);
  });

  it('BUG-3: what is not reported yet is reported at the end', async () => {
    const { editor, reported, clock } = await createSceneOfTab();
    editor.addMark({ kind: 'highlight', ...box });
    editor.flush();
    await clock.pass(0);
    expect(reported).toHaveLength(2);
    editor.flush();
    await clock.pass(1000);
    expect(reported).toHaveLength(2);
  });

  it('BUG-3: a removed screenshot is gone from the draft at once', async () => {
    const { editor, reported, actions, clock } = await createSceneOfTab();
    editor.addMark({ kind: 'highlight', ...box });
    editor.remove();
    await clock.pass(1000);
    expect(reported.at(-1)).toBeNull();
    expect(reported).toHaveLength(2);
    expect(actions.at(-1)).toBe('REMOVED');
    expect(await editor.settle()).toBeNull();
  });

  it('BUG-3: a picture that cannot be drawn is an error in words, and never sent with its marks left out', async () => {
    const { editor, scene, reported, clock } = await createSceneOfTab();
    scene.broken = true;
    editor.addMark({ kind: 'redaction', ...box });
    await clock.pass(500);
    expect(editor.state.get().problem).toBe('NOT_DRAWN');
    await expect(editor.settle()).rejects.toThrow('no room');
    expect(reported).toHaveLength(1);
    scene.broken = false;
    expect(await editor.settle()).not.toBeNull();
  });
});

describe('BUG-3: the picture of a stored draft', () => {
  const stored: Picture = {
    blob: new Blob(['kept']),
    filename: 'screenshot.png',
    width: 800,
    height: 600,
  };

  it('BUG-3: it is opened, and stays the same picture until something changes', async () => {
    const { editor, reported, clock } = createScene();
    await editor.open(stored);
    expect(await editor.settle()).toBe(stored);
    await clock.pass(1000);
    expect(reported).toEqual([]);
    editor.addMark({ kind: 'highlight', ...box });
    expect(await editor.settle()).not.toBe(stored);
    expect(reported).toHaveLength(1);
  });

  it('BUG-3: sending waits until it is open', async () => {
    const { editor, scene } = createScene();
    const slow = held<Base>();
    scene.file = slow.value;
    void editor.open(stored);
    const settled = editor.settle();
    slow.release(base('file'));
    expect(await settled).toBe(stored);
  });

  it('BUG-3: one that cannot be read any more is an error in words', async () => {
    const { editor, scene, reported } = createScene();
    scene.file = 'NOT_A_PICTURE';
    await editor.open(stored);
    expect(editor.state.get().problem).toBe('DRAFT_LOST');
    expect(reported).toEqual([null]);
  });

  it('BUG-3: a editor that reported it can still undo when it is opened again', async () => {
    const { editor, reported, histories } = await createSceneOfTab();
    editor.addMark({ kind: 'redaction', ...box });
    const picture = await editor.settle();
    const again = createScene(histories);
    await again.editor.open(reported.at(-1) ?? null);
    expect(await again.editor.settle()).toBe(picture);
    again.editor.undo();
    expect(again.present()?.marks).toEqual([]);
  });

  it('BUG-3: what was reported returns as the draft and changes nothing', async () => {
    const { editor, reported, present } = await createSceneOfTab();
    editor.addMark({ kind: 'highlight', ...box });
    const before = present();
    await editor.open(reported[0] ?? null);
    expect(present()).toBe(before);
  });

  it('BUG-3: a draft that was sent or thrown away clears the editor', async () => {
    const { editor, present, reported } = await createSceneOfTab();
    await editor.open(null);
    expect(present()).toBeUndefined();
    expect(reported).toHaveLength(1);
  });
});

describe('BUG-3: the crop', () => {
  it('BUG-3: one that is not confirmed is applied on sending, never ignored', async () => {
    const { editor, reported, workOf } = await createSceneOfTab();
    editor.choose('crop');
    editor.chooseCrop({ x: 100, y: 100, width: 300, height: 200 }, least);
    const picture = await editor.settle();
    expect(picture).toMatchObject({ width: 300, height: 200 });
    expect(workOf(picture)?.crop).toEqual({ x: 100, y: 100, width: 300, height: 200 });
    expect(reported.at(-1)).toBe(picture);
  });

  it('BUG-3: it is no smaller than the smallest that was displayed', async () => {
    const { editor, present } = await createSceneOfTab();
    editor.choose('crop');
    editor.chooseCrop({ x: 790, y: 300, width: 1, height: 200 }, least);
    editor.confirmCrop();
    expect(present()?.crop).toEqual({ x: 734, y: 300, width: 66, height: 200 });
  });

  it('BUG-3: it can be chosen again, undone, and cancelled', async () => {
    const { editor, present, actions } = await createSceneOfTab();
    editor.choose('crop');
    editor.chooseCrop({ x: 100, y: 100, width: 300, height: 200 }, least);
    editor.confirmCrop();
    expect(actions.at(-1)).toBe('CROPPED');
    editor.choose('crop');
    expect(editor.state.get().crop).toEqual({ x: 100, y: 100, width: 300, height: 200 });
    editor.chooseCrop({ x: 0, y: 0, width: 300, height: 200 }, least);
    editor.leaveCrop();
    expect(present()?.crop).toEqual({ x: 100, y: 100, width: 300, height: 200 });
    editor.undo();
    expect(present()?.crop).toBeNull();
    editor.redo();
    expect(present()?.crop).not.toBeNull();
  });

  it('BUG-3: another tool applies it first, undo leaves it', async () => {
    const { editor, present } = await createSceneOfTab();
    editor.choose('crop');
    editor.chooseCrop({ x: 100, y: 100, width: 300, height: 200 }, least);
    editor.choose('redaction');
    expect(present()?.crop).not.toBeNull();
    expect(editor.state.get()).toMatchObject({ tool: 'redaction', crop: null });
    editor.choose('crop');
    editor.chooseCrop({ x: 0, y: 0, width: 100, height: 100 }, least);
    editor.undo();
    expect(present()?.crop).toEqual({ x: 100, y: 100, width: 300, height: 200 });
  });
});

describe('BUG-3: marks', () => {
  it('BUG-3: a new one is selected, in whole pixels and inside the selected part', async () => {
    const { editor, present } = await createSceneOfTab();
    editor.addMark({ kind: 'redaction', x: 10.4, y: 20.6, width: 100.2, height: 700 });
    expect(present()?.marks).toEqual([{ id: 1, kind: 'redaction', x: 10, y: 0, width: 101, height: 600 }]);
    expect(editor.state.get().selected).toBe(1);
  });

  it('BUG-3: moving one by keys is one step back, and nothing is selected that is gone', async () => {
    const { editor, present } = await createSceneOfTab();
    editor.addMark({ kind: 'highlight', ...box });
    for (const x of [20, 30, 40]) {
      const [mark] = present()?.marks ?? [];
      if (mark !== undefined) editor.changeMark({ ...mark, x }, 'place');
    }
    expect(present()?.marks[0]?.x).toBe(40);
    editor.undo();
    expect(present()?.marks[0]?.x).toBe(10);
    editor.undo();
    expect(editor.state.get().selected).toBeNull();
    editor.redo();
    editor.removeMark(1);
    expect(present()?.marks).toEqual([]);
  });

  it('BUG-3: a text is one step with its words, and without words it does not stay', async () => {
    const { editor, present } = createScene();
    const texts = () => present()?.marks.map((mark) => (mark.kind === 'text' ? mark.text : ''));
    const type = (text: string) => {
      const mark = present()?.marks.at(-1);
      if (mark?.kind === 'text') editor.changeMark({ ...mark, text, lines: [text] }, 'text');
    };
    const history = () => editor.state.get().history;
    await editor.takeTab();
    editor.addMark({ kind: 'text', text: '', size: 12, lines: [], ...box });
    for (const text of ['H', 'He', 'Her', 'Here']) type(text);
    expect([texts(), history()?.past.length]).toEqual([['Here'], 1]);

    // Another one, which nothing is typed into, leaves no step.
    editor.addMark({ kind: 'text', text: '', size: 12, lines: [], ...box });
    editor.select(null);
    expect([texts(), history()?.past.length, history()?.future.length]).toEqual([['Here'], 1, 0]);

    // One whose words were deleted later is deleted, and returns with its words.
    editor.choose('text');
    editor.select(1);
    const mark = present()?.marks[0];
    if (mark !== undefined) editor.changeMark({ ...mark, x: 50 }, 'place');
    type('');
    editor.choose('number');
    expect(texts()).toEqual([]);
    editor.undo();
    expect(texts()).toEqual(['Here']);
  });
});

import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import type { Picture } from '../picture.ts';
import type { NoCapture } from './capture-tab.ts';
import type { Size } from './geometry.ts';
import type { History } from './history.ts';
import type { Deed } from './desk-state.ts';
import { createPictureDesk } from './picture-desk.ts';
import type { UnreadablePicture } from './read-picture.ts';
import { regionOf, type Work } from './work.ts';

type Base = Size & { readonly of: string };

const base = (of: string): Base => ({ width: 800, height: 600, of });
const box = { x: 10, y: 20, width: 100, height: 50 };
const least = { width: 66, height: 66 };

/** A desk whose drawings can be traced back to the work that they show. */
function createScene(histories = new WeakMap<Blob, History<Work<Base>>>(), clock = createManualClock()) {
  const reported: (Picture | null)[] = [];
  const busy: boolean[] = [];
  const deeds: Deed[] = [];
  const worksOf = new Map<Blob, Work<Base>>();
  const scene = {
    file: base('file') as Base | UnreadablePicture | Promise<Base>,
    tab: base('tab') as Base | NoCapture | Promise<Base>,
    /** Held drawings wait for this. */
    gate: Promise.resolve(),
    broken: false,
  };
  const desk = createPictureDesk<Base>({
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
    onPicture: (picture) => reported.push(picture),
    onBusy: (is) => busy.push(is),
    onDeed: (deed) => deeds.push(deed),
    histories,
    clock,
  });
  const present = () => desk.state.get().history?.present;
  const workOf = (picture: Picture | null | undefined) =>
    picture == null ? undefined : worksOf.get(picture.blob);
  return { desk, scene, reported, busy, deeds, clock, histories, present, workOf };
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
  it('BUG-3: it is reported as soon as it is there, uncropped, and is busy until then', async () => {
    const { desk, reported, busy, deeds, workOf } = createScene();
    await desk.takeTab();
    expect(reported).toHaveLength(1);
    expect(reported[0]).toMatchObject({ filename: 'screenshot.png', width: 800, height: 600 });
    expect(workOf(reported[0])).toEqual({ base: base('tab'), crop: null, marks: [] });
    expect(busy).toEqual([true, false]);
    expect(deeds).toEqual(['ADDED']);
  });

  it('BUG-3: a question that the person closes is no error', async () => {
    const { desk, scene, reported, busy } = createScene();
    scene.tab = 'CANCELLED';
    await desk.takeTab();
    expect(desk.state.get()).toMatchObject({ problem: null, working: false, history: null });
    expect(reported).toEqual([]);
    expect(busy).toEqual([true, false]);
  });

  it.each(['REFUSED', 'FAILED', 'TIMED_OUT'] as const)('BUG-3: %s is an error in words', async (problem) => {
    const { desk, scene } = createScene();
    scene.tab = problem;
    await desk.takeTab();
    expect(desk.state.get()).toMatchObject({ problem, working: false });
    scene.tab = base('tab');
    await desk.takeTab();
    expect(desk.state.get().problem).toBeNull();
  });

  it('BUG-3: a file that cannot be read leaves the picture that is there', async () => {
    const { desk, scene, present } = createScene();
    await desk.takeTab();
    scene.file = 'TOO_LARGE';
    await desk.takeFile(new Blob());
    expect(desk.state.get().problem).toBe('TOO_LARGE');
    expect(present()?.base.of).toBe('tab');
  });

  it('BUG-3: another one replaces it, which can be undone', async () => {
    const { desk, present, deeds } = createScene();
    await desk.takeTab();
    desk.addMark({ kind: 'redaction', ...box });
    await desk.takeFile(new Blob());
    expect(present()).toEqual({ base: base('file'), crop: null, marks: [] });
    desk.undo();
    expect(present()?.base.of).toBe('tab');
    expect(present()?.marks).toHaveLength(1);
    expect(deeds).toEqual(['ADDED', 'REPLACED', 'UNDONE']);
  });

  it('BUG-3: of two that are being loaded the later one is used', async () => {
    const { desk, scene, present, busy } = createScene();
    const slow = held<Base>();
    scene.tab = slow.value;
    const first = desk.takeTab();
    await desk.takeFile(new Blob());
    slow.release(base('tab'));
    await first;
    expect(present()?.base.of).toBe('file');
    expect(busy.at(-1)).toBe(false);
  });

  it('BUG-3: one that arrives after the screenshot was removed is dropped', async () => {
    const { desk, scene, present, busy, reported } = createScene();
    const slow = held<Base>();
    scene.tab = slow.value;
    const taking = desk.takeTab();
    desk.remove();
    slow.release(base('tab'));
    await taking;
    expect(present()).toBeUndefined();
    expect(reported).toEqual([]);
    expect(busy.at(-1)).toBe(false);
  });
});

describe('BUG-3: what is done goes into the draft', () => {
  it('BUG-3: a change is reported once the pointer rests', async () => {
    const { desk, reported, clock, workOf } = createScene();
    await desk.takeTab();
    desk.addMark({ kind: 'highlight', ...box });
    await clock.pass(300);
    desk.addMark({ kind: 'redaction', ...box });
    await clock.pass(300);
    expect(reported).toHaveLength(1);
    await clock.pass(200);
    expect(reported).toHaveLength(2);
    expect(workOf(reported[1])?.marks.map(({ kind }) => kind)).toEqual(['highlight', 'redaction']);
  });

  it('BUG-3: a picture that has changed while it was drawn is not reported', async () => {
    const { desk, scene, reported, clock, workOf } = createScene();
    await desk.takeTab();
    const slow = held<void>();
    scene.gate = slow.value;
    desk.addMark({ kind: 'highlight', ...box });
    await clock.pass(500);
    desk.addMark({ kind: 'redaction', ...box });
    scene.gate = Promise.resolve();
    slow.release();
    await clock.pass(500);
    expect(reported.map((picture) => workOf(picture)?.marks.length)).toEqual([0, 2]);
  });

  it('BUG-3: what is not reported yet is reported at the end', async () => {
    const { desk, reported, clock } = createScene();
    await desk.takeTab();
    desk.addMark({ kind: 'highlight', ...box });
    desk.flush();
    await clock.pass(0);
    expect(reported).toHaveLength(2);
    desk.flush();
    await clock.pass(1000);
    expect(reported).toHaveLength(2);
  });

  it('BUG-3: a removed screenshot is gone from the draft at once', async () => {
    const { desk, reported, deeds, clock } = createScene();
    await desk.takeTab();
    desk.addMark({ kind: 'highlight', ...box });
    desk.remove();
    await clock.pass(1000);
    expect(reported.at(-1)).toBeNull();
    expect(reported).toHaveLength(2);
    expect(deeds.at(-1)).toBe('REMOVED');
    expect(await desk.settle()).toBeNull();
  });

  it('BUG-3: a picture that cannot be drawn is an error in words, and never sent with its marks left out', async () => {
    const { desk, scene, reported, clock } = createScene();
    await desk.takeTab();
    scene.broken = true;
    desk.addMark({ kind: 'redaction', ...box });
    await clock.pass(500);
    expect(desk.state.get().problem).toBe('NOT_DRAWN');
    await expect(desk.settle()).rejects.toThrow('no room');
    expect(reported).toHaveLength(1);
    scene.broken = false;
    expect(await desk.settle()).not.toBeNull();
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
    const { desk, reported, clock } = createScene();
    await desk.open(stored);
    expect(await desk.settle()).toBe(stored);
    await clock.pass(1000);
    expect(reported).toEqual([]);
    desk.addMark({ kind: 'highlight', ...box });
    expect(await desk.settle()).not.toBe(stored);
    expect(reported).toHaveLength(1);
  });

  it('BUG-3: sending waits until it is open', async () => {
    const { desk, scene } = createScene();
    const slow = held<Base>();
    scene.file = slow.value;
    void desk.open(stored);
    const settled = desk.settle();
    slow.release(base('file'));
    expect(await settled).toBe(stored);
  });

  it('BUG-3: one that cannot be read any more is an error in words', async () => {
    const { desk, scene, reported } = createScene();
    scene.file = 'NOT_A_PICTURE';
    await desk.open(stored);
    expect(desk.state.get().problem).toBe('DRAFT_LOST');
    expect(reported).toEqual([null]);
  });

  it('BUG-3: a desk that reported it can still undo when it is opened again', async () => {
    const { desk, reported, histories } = createScene();
    await desk.takeTab();
    desk.addMark({ kind: 'redaction', ...box });
    const picture = await desk.settle();
    const again = createScene(histories);
    await again.desk.open(reported.at(-1) ?? null);
    expect(await again.desk.settle()).toBe(picture);
    again.desk.undo();
    expect(again.present()?.marks).toEqual([]);
  });

  it('BUG-3: what was reported returns as the draft and changes nothing', async () => {
    const { desk, reported, present } = createScene();
    await desk.takeTab();
    desk.addMark({ kind: 'highlight', ...box });
    const before = present();
    await desk.open(reported[0] ?? null);
    expect(present()).toBe(before);
  });

  it('BUG-3: a draft that was sent or thrown away clears the desk', async () => {
    const { desk, present, reported } = createScene();
    await desk.takeTab();
    await desk.open(null);
    expect(present()).toBeUndefined();
    expect(reported).toHaveLength(1);
  });
});

describe('BUG-3: the crop', () => {
  it('BUG-3: one that is not confirmed is applied on sending, never ignored', async () => {
    const { desk, reported, workOf } = createScene();
    await desk.takeTab();
    desk.choose('crop');
    desk.chooseCrop({ x: 100, y: 100, width: 300, height: 200 }, least);
    const picture = await desk.settle();
    expect(picture).toMatchObject({ width: 300, height: 200 });
    expect(workOf(picture)?.crop).toEqual({ x: 100, y: 100, width: 300, height: 200 });
    expect(reported.at(-1)).toBe(picture);
  });

  it('BUG-3: it is no smaller than the smallest that was displayed', async () => {
    const { desk, present } = createScene();
    await desk.takeTab();
    desk.choose('crop');
    desk.chooseCrop({ x: 790, y: 300, width: 1, height: 200 }, least);
    desk.confirmCrop();
    expect(present()?.crop).toEqual({ x: 734, y: 300, width: 66, height: 200 });
  });

  it('BUG-3: it can be chosen again, undone, and cancelled', async () => {
    const { desk, present, deeds } = createScene();
    await desk.takeTab();
    desk.choose('crop');
    desk.chooseCrop({ x: 100, y: 100, width: 300, height: 200 }, least);
    desk.confirmCrop();
    expect(deeds.at(-1)).toBe('CROPPED');
    desk.choose('crop');
    expect(desk.state.get().crop).toEqual({ x: 100, y: 100, width: 300, height: 200 });
    desk.chooseCrop({ x: 0, y: 0, width: 300, height: 200 }, least);
    desk.leaveCrop();
    expect(present()?.crop).toEqual({ x: 100, y: 100, width: 300, height: 200 });
    desk.undo();
    expect(present()?.crop).toBeNull();
    desk.redo();
    expect(present()?.crop).not.toBeNull();
  });

  it('BUG-3: another tool applies it first, undo leaves it', async () => {
    const { desk, present } = createScene();
    await desk.takeTab();
    desk.choose('crop');
    desk.chooseCrop({ x: 100, y: 100, width: 300, height: 200 }, least);
    desk.choose('redaction');
    expect(present()?.crop).not.toBeNull();
    expect(desk.state.get()).toMatchObject({ tool: 'redaction', crop: null });
    desk.choose('crop');
    desk.chooseCrop({ x: 0, y: 0, width: 100, height: 100 }, least);
    desk.undo();
    expect(present()?.crop).toEqual({ x: 100, y: 100, width: 300, height: 200 });
  });
});

describe('BUG-3: marks', () => {
  it('BUG-3: a new one is selected, in whole pixels and inside the selected part', async () => {
    const { desk, present } = createScene();
    await desk.takeTab();
    desk.addMark({ kind: 'redaction', x: 10.4, y: 20.6, width: 100.2, height: 700 });
    expect(present()?.marks).toEqual([{ id: 1, kind: 'redaction', x: 10, y: 0, width: 101, height: 600 }]);
    expect(desk.state.get().selected).toBe(1);
  });

  it('BUG-3: moving one by keys is one step back, and nothing is selected that is gone', async () => {
    const { desk, present } = createScene();
    await desk.takeTab();
    desk.addMark({ kind: 'highlight', ...box });
    for (const x of [20, 30, 40]) {
      const [mark] = present()?.marks ?? [];
      if (mark !== undefined) desk.changeMark({ ...mark, x }, 'place');
    }
    expect(present()?.marks[0]?.x).toBe(40);
    desk.undo();
    expect(present()?.marks[0]?.x).toBe(10);
    desk.undo();
    expect(desk.state.get().selected).toBeNull();
    desk.redo();
    desk.removeMark(1);
    expect(present()?.marks).toEqual([]);
  });

  it('BUG-3: a text is one step with its words, and without words it does not stay', async () => {
    const { desk, present } = createScene();
    const texts = () => present()?.marks.map((mark) => (mark.kind === 'text' ? mark.text : ''));
    const type = (text: string) => {
      const mark = present()?.marks.at(-1);
      if (mark?.kind === 'text') desk.changeMark({ ...mark, text, lines: [text] }, 'text');
    };
    const history = () => desk.state.get().history;
    await desk.takeTab();
    desk.addMark({ kind: 'text', text: '', size: 12, lines: [], ...box });
    for (const text of ['H', 'He', 'Her', 'Here']) type(text);
    expect([texts(), history()?.past.length]).toEqual([['Here'], 1]);

    // Another one, which nothing is typed into, leaves no step.
    desk.addMark({ kind: 'text', text: '', size: 12, lines: [], ...box });
    desk.select(null);
    expect([texts(), history()?.past.length, history()?.future.length]).toEqual([['Here'], 1, 0]);

    // One whose words were deleted later is deleted, and returns with its words.
    desk.choose('text');
    desk.select(1);
    const mark = present()?.marks[0];
    if (mark !== undefined) desk.changeMark({ ...mark, x: 50 }, 'place');
    type('');
    desk.choose('number');
    expect(texts()).toEqual([]);
    desk.undo();
    expect(texts()).toEqual(['Here']);
  });
});

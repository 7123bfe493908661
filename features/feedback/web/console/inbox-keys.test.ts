import { describe, expect, it } from 'vitest';
import { press } from '#web/testing/key-press.ts';
import { inboxAction, type KeyPlace } from './inbox-keys.ts';

const places: KeyPlace[] = ['typing', 'search', 'list', 'elsewhere'];
const everyKey = [...'jk/sp?1780xXrnaldez ', 'ArrowDown', 'ArrowUp', 'Home', 'End', 'Escape', 'Enter', 'Tab'];
const does = (key: string, place: KeyPlace, letters = true) => inboxAction(press(key), place, letters);

describe('BUG-8 LOOK-2: the inbox by keyboard', () => {
  it('BUG-8: letters do the same in the list and in the report', () => {
    for (const place of ['list', 'elsewhere'] as const) {
      expect(does('j', place)).toEqual({ do: 'go', by: 1 });
      expect(does('k', place)).toEqual({ do: 'go', by: -1 });
      expect(['/', 's', 'p', 'Escape'].map((key) => does(key, place)?.do)).toEqual([
        'search',
        'status',
        'picture',
        'back',
      ]);
    }
  });

  it('BUG-8: letters answer, assign, label, select, resolve and undo', () => {
    expect(['r', 'n', 'a', 'l', 'd', 'z'].map((key) => does(key, 'elsewhere')?.do)).toEqual([
      'reply',
      'note',
      'assign',
      'label',
      'duplicate',
      'undo',
    ]);
    expect(does('e', 'list')).toEqual({ do: 'set-status', status: 'resolved' });
    expect([does('x', 'list'), does('X', 'list')]).toEqual([
      { do: 'select', range: false },
      { do: 'select', range: true },
    ]);
  });

  it('BUG-8: digits set the status in the order of the list of them', () => {
    expect(['1', '2', '3', '4', '5', '6', '7'].map((key) => does(key, 'elsewhere'))).toEqual(
      ['new', 'triaged', 'in-progress', 'resolved', 'closed', 'duplicate', 'spam'].map((status) => ({
        do: 'set-status',
        status,
      })),
    );
    expect([does('8', 'list'), does('0', 'list')]).toEqual([null, null]);
  });

  it('LOOK-2: arrows, Home and End move in the list and scroll everywhere else', () => {
    expect(['ArrowDown', 'ArrowUp', 'Home', 'End'].map((key) => does(key, 'list'))).toEqual([
      { do: 'move', by: 1 },
      { do: 'move', by: -1 },
      { do: 'first' },
      { do: 'last' },
    ]);
    expect(['ArrowDown', 'ArrowUp', 'Home', 'End'].map((key) => does(key, 'elsewhere'))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('LOOK-2: takes no key from a field while the person types; from the search an arrow leads into the list', () => {
    expect(everyKey.map((key) => does(key, 'typing')).filter((action) => action !== null)).toEqual([]);
    expect(everyKey.filter((key) => does(key, 'search') !== null)).toEqual(['ArrowDown']);
  });

  it('LOOK-2: what is pressed with a modifier, or while a character is composed, is not for the inbox', () => {
    for (const held of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { isComposing: true }]) {
      for (const place of places)
        for (const key of everyKey) expect(inboxAction(press(key, held), place, true)).toBeNull();
    }
  });

  it('LOOK-2: single letters can be switched off; what only works in the list stays', () => {
    expect(everyKey.filter((key) => does(key, 'list', false) !== null)).toEqual([
      'ArrowDown',
      'ArrowUp',
      'Home',
      'End',
      'Escape',
    ]);
    expect(everyKey.filter((key) => does(key, 'elsewhere', false) !== null)).toEqual(['Escape']);
  });
});

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys of the palette on this computer. With Ctrl+K fields of Apple's systems delete a line. */
export const paletteChord: { modifier: 'metaKey' | 'ctrlKey'; shown: string; aria: string } = isApple
  ? { modifier: 'metaKey', shown: '⌘ K', aria: 'Meta+K' }
  : { modifier: 'ctrlKey', shown: 'Ctrl K', aria: 'Control+K' };

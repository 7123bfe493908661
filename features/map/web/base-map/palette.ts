/** The colours of the base map. The web's palette has none for land and water; a canvas cannot read variables. */
export type Palette = Readonly<
  Record<'water' | 'land' | 'border' | 'country' | 'sea' | 'halo' | 'mark' | 'markFill', string>
>;

export const palettes: Readonly<Record<'light' | 'dark', Palette>> = {
  light: {
    water: '#dbe6ea',
    land: '#f6f3ec',
    border: '#b9b2a5',
    country: '#4a4f52',
    sea: '#3f6675',
    halo: 'rgb(250 249 246 / 0.85)',
    mark: '#a8201a',
    markFill: 'rgb(168 32 26 / 0.1)',
  },
  dark: {
    water: '#10191d',
    land: '#23292c',
    border: '#47525a',
    country: '#c3c8c9',
    sea: '#7fa3b1',
    halo: 'rgb(14 17 19 / 0.85)',
    mark: '#ff9d94',
    markFill: 'rgb(255 157 148 / 0.12)',
  },
};

import type { Place } from '../coordinates/place.ts';

export type Sea = {
  at: Place;
  /** The zoom from which its name has room. */
  from: number;
  en: string;
  de: string;
  fr: string;
};

const sea = (at: Place, from: number, en: string, de: string, fr: string): Sea => ({ at, from, en, de, fr });

/** The oceans and larger seas, with a place near their middle. No data set in a package names them in three languages. */
export const seas: readonly Sea[] = [
  sea([-38, 32], 0, 'North Atlantic Ocean', 'Nordatlantik', 'Océan Atlantique Nord'),
  sea([-15, -28], 0, 'South Atlantic Ocean', 'Südatlantik', 'Océan Atlantique Sud'),
  sea([-150, 28], 0, 'North Pacific Ocean', 'Nordpazifik', 'Océan Pacifique Nord'),
  sea([-125, -28], 0, 'South Pacific Ocean', 'Südpazifik', 'Océan Pacifique Sud'),
  sea([80, -22], 0, 'Indian Ocean', 'Indischer Ozean', 'Océan Indien'),
  sea([-5, 82], 1, 'Arctic Ocean', 'Arktischer Ozean', 'Océan Arctique'),
  sea([20, -62], 0, 'Southern Ocean', 'Südlicher Ozean', 'Océan Austral'),
  sea([18, 34.5], 2.5, 'Mediterranean Sea', 'Mittelmeer', 'Mer Méditerranée'),
  sea([34.5, 43.2], 3.5, 'Black Sea', 'Schwarzes Meer', 'Mer Noire'),
  sea([50.5, 41.5], 3.5, 'Caspian Sea', 'Kaspisches Meer', 'Mer Caspienne'),
  sea([3, 56.5], 3.5, 'North Sea', 'Nordsee', 'Mer du Nord'),
  sea([19.5, 57.5], 4, 'Baltic Sea', 'Ostsee', 'Mer Baltique'),
  sea([2, 68], 3, 'Norwegian Sea', 'Europäisches Nordmeer', 'Mer de Norvège'),
  sea([40, 74], 3, 'Barents Sea', 'Barentssee', 'Mer de Barents'),
  sea([66, 75.5], 3.5, 'Kara Sea', 'Karasee', 'Mer de Kara'),
  sea([123, 76], 3.5, 'Laptev Sea', 'Laptewsee', 'Mer des Laptev'),
  sea([163, 73], 3.5, 'East Siberian Sea', 'Ostsibirische See', 'Mer de Sibérie orientale'),
  sea([-5, 77], 3.5, 'Greenland Sea', 'Grönlandsee', 'Mer du Groenland'),
  sea([-67, 73], 3, 'Baffin Bay', 'Baffin-Bucht', 'Baie de Baffin'),
  sea([-85, 59.5], 3, 'Hudson Bay', 'Hudson-Bucht', 'Baie d’Hudson'),
  sea([-54, 58], 3, 'Labrador Sea', 'Labradorsee', 'Mer du Labrador'),
  sea([-140, 72.5], 3.5, 'Beaufort Sea', 'Beaufortsee', 'Mer de Beaufort'),
  sea([-90, 25], 3, 'Gulf of Mexico', 'Golf von Mexiko', 'Golfe du Mexique'),
  sea([-75, 15], 2.5, 'Caribbean Sea', 'Karibisches Meer', 'Mer des Caraïbes'),
  sea([-4.5, 45.5], 4.5, 'Bay of Biscay', 'Golf von Biskaya', 'Golfe de Gascogne'),
  sea([15.5, 43.1], 5, 'Adriatic Sea', 'Adria', 'Mer Adriatique'),
  sea([25, 38.8], 5, 'Aegean Sea', 'Ägäis', 'Mer Égée'),
  sea([12, 39.9], 4.8, 'Tyrrhenian Sea', 'Tyrrhenisches Meer', 'Mer Tyrrhénienne'),
  sea([38.5, 20.5], 3.5, 'Red Sea', 'Rotes Meer', 'Mer Rouge'),
  sea([51.5, 27], 4.5, 'Persian Gulf', 'Persischer Golf', 'Golfe Persique'),
  sea([64, 15], 2.5, 'Arabian Sea', 'Arabisches Meer', 'Mer d’Arabie'),
  sea([88, 14], 2.5, 'Bay of Bengal', 'Golf von Bengalen', 'Golfe du Bengale'),
  sea([95.5, 10.5], 4, 'Andaman Sea', 'Andamanensee', 'Mer d’Andaman'),
  sea([1, 0.5], 3, 'Gulf of Guinea', 'Golf von Guinea', 'Golfe de Guinée'),
  sea([40.5, -18], 3.5, 'Mozambique Channel', 'Straße von Mosambik', 'Canal du Mozambique'),
  sea([114, 13], 2.8, 'South China Sea', 'Südchinesisches Meer', 'Mer de Chine méridionale'),
  sea([125, 28.5], 3.5, 'East China Sea', 'Ostchinesisches Meer', 'Mer de Chine orientale'),
  sea([123, 36], 4.2, 'Yellow Sea', 'Gelbes Meer', 'Mer Jaune'),
  sea([135, 39.8], 3.5, 'Sea of Japan', 'Japanisches Meer', 'Mer du Japon'),
  sea([149, 54], 3, 'Sea of Okhotsk', 'Ochotskisches Meer', 'Mer d’Okhotsk'),
  sea([-178, 58], 3, 'Bering Sea', 'Beringmeer', 'Mer de Béring'),
  sea([134, 19], 2.8, 'Philippine Sea', 'Philippinensee', 'Mer des Philippines'),
  sea([122, 3.6], 4, 'Celebes Sea', 'Celebessee', 'Mer de Célèbes'),
  sea([112, -5], 4, 'Java Sea', 'Javasee', 'Mer de Java'),
  sea([126, -6.5], 4, 'Banda Sea', 'Bandasee', 'Mer de Banda'),
  sea([133, -9.3], 4, 'Arafura Sea', 'Arafurasee', 'Mer d’Arafura'),
  sea([155, -16.5], 3, 'Coral Sea', 'Korallenmeer', 'Mer de Corail'),
  sea([160, -38], 2.5, 'Tasman Sea', 'Tasmansee', 'Mer de Tasman'),
  sea([131, -34], 3, 'Great Australian Bight', 'Große Australische Bucht', 'Grande Baie australienne'),
  sea([-145, 57], 3, 'Gulf of Alaska', 'Golf von Alaska', 'Golfe d’Alaska'),
  sea([-42, -72], 2, 'Weddell Sea', 'Weddellmeer', 'Mer de Weddell'),
  sea([-175, -75], 2, 'Ross Sea', 'Rossmeer', 'Mer de Ross'),
  sea([-48, -57], 3, 'Scotia Sea', 'Scotiasee', 'Mer de Scotia'),
];

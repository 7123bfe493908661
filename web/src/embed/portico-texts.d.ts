/** The texts of one part of `portico.js` in one language, taken from the catalogues of the web (`embed-texts.ts`). */
declare module 'virtual:portico-texts/*' {
  type Catalogue = { [key: string]: string | Catalogue };
  const catalogue: Catalogue;
  export default catalogue;
}

/** The icons that the report dialog draws beside those of the first part (`late-icons.ts`). */
declare module 'virtual:portico-icons/late';

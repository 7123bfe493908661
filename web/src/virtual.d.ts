type Catalogue = { [key: string]: string | Catalogue };
type Language = 'en' | 'de' | 'fr';

/** The texts at and below the given keys, as one download per language (`web/texts.ts`). */
declare module 'virtual:texts/*' {
  const load: Record<Language, () => Promise<Catalogue>>;
  export default load;
}

declare module 'virtual:all-texts/*' {
  const catalogues: Record<Language, Catalogue>;
  export default catalogues;
}

/** The functions that load the late parts of the texts, by `<part>.<language>`. */
declare module 'virtual:late-texts' {
  const load: Record<string, () => Promise<Catalogue>>;
  export default load;
}

/** The icons that the report dialog draws in addition to those of the first part (`build-steps.ts`). */
declare module 'virtual:portico-icons/late';

declare module 'virtual:application-files' {
  /** The scripts and style sheets that every screen of the application needs, by their paths in the build. */
  const files: readonly string[];
  export default files;
}

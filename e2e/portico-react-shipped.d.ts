/** The hooks as they are shipped; the test of `portico.js` gives their path to the build. */
declare module 'portico/react' {
  type User = { readonly id: string; readonly name: string };
  type Portico = {
    readonly user: User | null;
    beforeMaintenance(save: () => Promise<void>): () => void;
    signOut(): Promise<void>;
  };
  export function usePortico(): Portico | null;
  export function useCan(right: string): boolean;
  export function useFlag<T>(key: string, fallback: T): T;
}

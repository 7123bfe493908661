/** What was typed into a field of a form; files are no text. */
export function textOf(typed: FormData, name: string): string {
  const value = typed.get(name);
  return typeof value === 'string' ? value : '';
}

export function inputOf(form: HTMLFormElement | null, name: string): HTMLInputElement | null {
  return form?.querySelector<HTMLInputElement>(`input[name="${name}"]`) ?? null;
}

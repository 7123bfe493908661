import { HttpProblem } from './http-problem.ts';

export function refuseStale(stored: number, read: number): void {
  if (stored !== read) {
    throw new HttpProblem('VERSION_CONFLICT', {
      detail: 'Somebody changed this meanwhile. Look again, then repeat it.',
    });
  }
}

export function notFound(detail: string): HttpProblem {
  return new HttpProblem('NOT_FOUND', { detail });
}

export function taken(pointer: string, detail: string): HttpProblem {
  return new HttpProblem('CONFLICT', { detail, errors: [{ pointer, code: 'taken', message: detail }] });
}

export function invalid(pointer: string, code: string, message: string): HttpProblem {
  return new HttpProblem('INVALID_BODY', { errors: [{ pointer, code, message }] });
}

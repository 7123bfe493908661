import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { readyz } from '#features/health/contract/health.ts';
import type { Config } from '../config.ts';
import type { Command } from './command.ts';
import { Failure } from './failure.ts';

/** A container's health check has its own timeout; this timeout ends the check with a reason. */
const mostMs = 4_000;

export const health: Command = {
  summary: 'Asks the server on this machine whether it is ready; for the health check of a container',
  about: 'Prints ready, or fails with the reason. The address is read from HOST, PORT and BASE_PATH.',
  options: {},
  prepareOnSite() {
    return async ({ config }) => {
      const address = `http://${ownAddress(config.host)}:${config.port}${config.basePath}${readyz.path}`;
      const { status, reason } = await ask(address);
      if (status === 200) return { result: 'ready', notes: [], json: { ready: true } };
      throw new Failure(`${address} answers ${status}${reason}.`, { code: 'NOT_READY', status });
    };
  },
};

/** Where a server that listens on all addresses is reached from its own machine. */
function ownAddress(host: Config['host']): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function ask(address: string): Promise<{ status: number; reason: string }> {
  return new Promise((done, fail) => {
    const unreachable = ({ message }: Error) =>
      fail(new Failure(`${address} does not answer: ${message}.`, { code: 'UNREACHABLE' }));
    const asked = request(address, { agent: false, signal: AbortSignal.timeout(mostMs) });
    asked.once('error', unreachable);
    asked.once('response', (response) => {
      void buffer(response).then((body) => {
        done({ status: response.statusCode ?? 0, reason: detailOf(body.toString()) });
      }, unreachable);
    });
    asked.end();
  });
}

function detailOf(problem: string): string {
  try {
    const { detail } = JSON.parse(problem) as { detail?: unknown };
    return typeof detail === 'string' ? `: ${detail.replace(/\.$/, '')}` : '';
  } catch {
    return '';
  }
}

import { providerReport } from '#features/health/server/doctor.ts';
import type { ProviderReport, Step } from '#features/outside-provider/server/check-provider.ts';
import type { Command } from './command.ts';
import { Failure } from './failure.ts';

export const oidcCheck: Command = {
  summary: 'Looks at the connection to your OpenID Connect provider',
  about: [
    'Looks at everything that signing in at OIDC_ISSUER needs, one thing after the other, and reports what is wrong: the',
    'address, TLS, the issuer, signatures, keys, the clock, the client and its secret, the redirect URI. It prints what to',
    'register at the provider, and the claims that are read. It signs no one in, and needs no database.',
  ].join('\n'),
  options: {},
  prepareOnSite() {
    return async ({ config }) => {
      const { oidc: settings, publicUrl } = config;
      if (settings === null)
        throw new Failure(
          'OIDC_ISSUER is not set: people sign in at the embedded provider, and there is nothing to look at.',
        );
      const report = await providerReport(settings, publicUrl);
      return { result: written(report), notes: [], json: report, failed: !report.ok };
    };
  },
};

const marks = { ok: 'ok      ', warning: 'warning ', failed: 'FAILED  ' };

/** A line for each thing that was looked at. */
export function writtenSteps(steps: readonly Step[]): string[] {
  const width = Math.max(...steps.map(({ name }) => name.length));
  return steps.map(({ name, outcome, message }) => `${marks[outcome]}${name.padEnd(width)}  ${message}`);
}

function written({ ok, unsure, steps, register, claims }: ProviderReport): string {
  return [
    ...writtenSteps(steps),
    '',
    'Register at the provider:',
    `  redirect URI              ${register.redirectUri}`,
    `  post-logout redirect URI  ${register.postLogoutRedirectUri}`,
    `  back-channel logout URI   ${register.backChannelLogoutUri}`,
    '',
    'Claims that are read:',
    ...Object.entries(claims).map(([name, paths]) => `  ${name.padEnd(8)}${paths.join(', ')}`),
    '',
    !ok
      ? 'People cannot sign in like this.'
      : unsure
        ? 'Nothing was found that keeps people from signing in; the first sign-in shows what the warnings leave open.'
        : 'People can sign in.',
  ].join('\n');
}

import { ConfigError, type Config } from './config.ts';
import type { SetUp } from '#features/identity-provider/server/set-up.ts';
import { HttpProblem } from './platform/http/http-problem.ts';

/**
 * Creates the operator whom the configuration names, where there is none.
 *
 * @throws ConfigError where the address or the password is not accepted
 */
export async function createFirstOperator(setUp: SetUp, operator: Config['operator']): Promise<void> {
  if (operator === null) return;
  try {
    await setUp.createUnattended(operator);
  } catch (error) {
    if (error instanceof HttpProblem && error.code === 'CONFLICT')
      throw new ConfigError('OPERATOR_EMAIL', operator.email, 'an address that no one else here has');
    if (!(error instanceof HttpProblem) || error.code !== 'INVALID_BODY') throw error;
    throw new ConfigError('OPERATOR_PASSWORD', '(a secret)', 'a password that is not a common one');
  }
}

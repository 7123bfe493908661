import type { Core } from '../../core.ts';
import type { Serve } from '../../platform/http/serve.ts';
import { createAdministration, type AdministrationParts } from './administration.ts';
import { peopleRoutes, type PeopleRoutesOptions } from './people.routes.ts';

/** The people of the installation, and what operators do to them. */
export function createPeople(core: Core, providerInUse: AdministrationParts) {
  const administration = createAdministration(providerInUse);
  return {
    administration,
    /**
     * @param parts `linkMail` of the provider in use, `signOut` of the sessions, `rightsOf` of the
     * permissions
     */
    routes: (serve: Serve, parts: Pick<PeopleRoutesOptions, 'linkMail' | 'signOut' | 'rightsOf'>) =>
      peopleRoutes(serve, { ...core, administration, ...parts }),
  };
}

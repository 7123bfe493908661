import type { Core } from '../../core.ts';
import type { Serve } from '../../platform/http/serve.ts';
import { createAdministration, type AdministrationParts } from './administration.ts';
import { peopleRoutes, type PeopleRoutesOptions } from './people.routes.ts';

/** The people of the installation, and what operators do to them. */
export function createPeople(core: Core, providerInUse: AdministrationParts) {
  const administration = createAdministration(providerInUse);
  return {
    administration,
    /** @param linkMail of the provider in use */
    routes: (serve: Serve, linkMail: PeopleRoutesOptions['linkMail']) =>
      peopleRoutes(serve, { ...core, administration, linkMail }),
  };
}

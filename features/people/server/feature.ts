import { feature } from '#server/feature.ts';
import { peopleRoutes } from './people.routes.ts';

export const peopleFeature = feature({
  create: (core, { administration, identityProvider, session, permissions }) => ({
    routes: (serve) =>
      peopleRoutes(serve, {
        ...core,
        administration,
        linkMail: identityProvider.linkMails,
        signOut: session.signOutPerson,
        rightsOf: permissions.rightsOf,
      }),
  }),
});

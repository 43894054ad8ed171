import { pictureRoutes } from './drawing/picture-routes.ts'
import { tokenPageRoutes } from './families/intelligence/discovery/token-page-routes.ts'
import { jobCancelRoute } from './families/platform/jobs/job-cancel-route.ts'
import { jobStreamRoute } from './families/platform/jobs/job-stream-route.ts'
import { metadataRoute } from './families/platform/oauth/metadata-route.ts'
import { partnerHostRoute } from './families/platform/partners/domains/well-known-route.ts'
import { secretRoute } from './families/platform/providers/secret-route.ts'
import { loadFamilies } from './families.ts'
import { preflightRoutes } from './http/any-origin.ts'
import { consoleRoutes } from './http/beside/console-routes.ts'
import { guideRoutes } from './http/beside/guide/routes.ts'
import { healthRoutes } from './http/beside/health-routes.ts'
import { invitationRoutes } from './http/beside/invitation-routes.ts'
import { memberRoutes } from './http/beside/member-routes.ts'
import { openIdRoutes } from './http/beside/openid-routes.ts'
import { passkeyRoutes } from './http/beside/passkey-routes.ts'
import { referenceRoutes } from './http/beside/reference-page.ts'
import { signInRoutes } from './http/beside/sign-in-routes.ts'
import { verifierRoutes } from './http/beside/verifier-page.ts'
import type { Route } from './http/route.ts'

/** Everything that is answered beside the contract. */
export const beside: readonly Route[] = [
  ...signInRoutes,
  ...openIdRoutes,
  ...passkeyRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  secretRoute,
  metadataRoute,
  partnerHostRoute,
  ...tokenPageRoutes,
  jobStreamRoute,
  jobCancelRoute,
  ...pictureRoutes(async () => (await loadFamilies()).pictures),
  ...healthRoutes,
  ...guideRoutes,
  ...referenceRoutes,
  ...verifierRoutes,
  ...preflightRoutes,
  ...consoleRoutes,
]

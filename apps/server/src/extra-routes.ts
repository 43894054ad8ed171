import { pictureRoutes } from './drawing/picture-routes.ts'
import { tokenPageRoutes } from './families/intelligence/discovery/token-page-routes.ts'
import { mandatePageRoute } from './families/operate/mandate-shares/mandate-page-route.ts'
import { jobCancelRoute } from './families/platform/jobs/job-cancel-route.ts'
import { jobStreamRoute } from './families/platform/jobs/job-stream-route.ts'
import { metadataRoute } from './families/platform/oauth/metadata-route.ts'
import { partnerHostRoute } from './families/platform/partners/domains/well-known-route.ts'
import { secretRoute } from './families/platform/providers/secret-route.ts'
import { loadFamilies } from './families.ts'
import { preflightRoutes } from './http/any-origin.ts'
import type { Route } from './http/route.ts'
import { consoleRoutes } from './http/routes/console-routes.ts'
import { guideRoutes } from './http/routes/guide/routes.ts'
import { healthRoutes } from './http/routes/health-routes.ts'
import { invitationRoutes } from './http/routes/invitation-routes.ts'
import { memberRoutes } from './http/routes/member-routes.ts'
import { openIdRoutes } from './http/routes/openid-routes.ts'
import { passkeyRoutes } from './http/routes/passkey-routes.ts'
import { referenceRoutes } from './http/routes/reference-page.ts'
import { signInRoutes } from './http/routes/sign-in-routes.ts'
import { verifierRoutes } from './http/routes/verifier-page.ts'

/** Routes outside the API contract. */
export const extraRoutes: readonly Route[] = [
  ...signInRoutes,
  ...openIdRoutes,
  ...passkeyRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  secretRoute,
  metadataRoute,
  partnerHostRoute,
  ...tokenPageRoutes,
  mandatePageRoute,
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

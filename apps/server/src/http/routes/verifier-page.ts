import { daySeconds } from '../../units.ts'
import { sendCached } from '../answer.ts'
import { CachedText, once } from '../cached-text.ts'
import { extraRoute } from '../route.ts'
import { pageReply } from './answers.ts'
import { assembleVerifierPage } from './assemble-verifier-page.ts'

const readPage = once(async () => new CachedText(assembleVerifierPage()))

/**
 * The page that checks the verification bundle of a passport in a browser. `npm run verifier` assembles the same bytes
 * from the source, for a reader who does not trust this service.
 */
export const verifierRoutes = [
  extraRoute({
    id: 'showVerifier',
    method: 'GET',
    path: '/verify.html',
    answer: async (request) => {
      request.pipeline.admitPublic({ path: '/verify.html' }, request)
      const form = await (await readPage()).formFor(request.headers)
      const policy = "frame-ancestors 'none'"
      const terms = { type: 'text/html; charset=utf-8', policy }
      const { headers } = pageReply(form.body, {
        ...terms,
        'cache-control': `public, max-age=${daySeconds}`,
      })
      return sendCached(request, headers, form)
    },
  }),
]

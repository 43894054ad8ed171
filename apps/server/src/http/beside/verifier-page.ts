import { daySeconds } from '../../units.ts'
import { keptAnswer } from '../answer.ts'
import { keptFile } from '../kept-text.ts'
import { besideRoute } from '../route.ts'
import { pageReply } from './answers.ts'

const readPage = keptFile(new URL('../../../verifier/verify.html', import.meta.url))

/**
 * The page that checks the bundle of a passport in a browser. It is one file whose own policy lets it load and send nothing, so it
 * is the same from disk; whoever does not trust this service takes it from the source.
 */
export const verifierRoutes = [
  besideRoute({
    id: 'showVerifier',
    method: 'GET',
    path: '/verify.html',
    answer: async (request) => {
      request.pipeline.admitStranger({ path: '/verify.html' }, request)
      const form = await (await readPage()).formFor(request.headers)
      const policy = "frame-ancestors 'none'"
      const terms = { type: 'text/html; charset=utf-8', policy }
      const { headers } = pageReply(form.body, {
        ...terms,
        'cache-control': `public, max-age=${daySeconds}`,
      })
      return keptAnswer(request, headers, form)
    },
  }),
]

import { contract } from '@liquidity-os/contract'
import { prefersHtml } from '../../../http/accept.ts'
import { handle, type Outcome } from '../../../http/handler.ts'
import { pagePolicy } from '../../../reports/page.ts'
import { openShare } from './open-share.ts'
import { shownOf } from './shown-shares.ts'

export default handle(contract.getSharedSimulationStudy, async (request): Promise<Outcome> => {
  const { params, services, now, fail } = request
  const share = await openShare(services, params.slug, now)
  if (!share) throw fail('LIQUIDITY_PUBLIC_STUDY_UNAVAILABLE')
  const headers = { 'x-robots-tag': 'noindex', vary: 'Accept' }
  if (!prefersHtml(request.headers)) return { text: share.text, headers }
  return {
    // The API returns exactly the data of the HTML page.
    text: (await shownOf(services, share, now)).page,
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      // Saves the linked files: a sandboxed page without this permission cannot download.
      'content-security-policy': `${pagePolicy}; frame-ancestors 'none'; sandbox allow-downloads`,
      'referrer-policy': 'no-referrer',
    },
  }
})

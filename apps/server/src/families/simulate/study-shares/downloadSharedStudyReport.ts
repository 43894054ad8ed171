import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { openShare } from './open-share.ts'
import { sharedFile } from './shared-file.ts'
import { shownOf } from './shown-shares.ts'

export default handle(contract.downloadSharedStudyReport, async (request): Promise<Outcome> => {
  const { params, services, now, fail } = request
  const share = await openShare(services, params.slug, now)
  if (!share) throw fail('LIQUIDITY_PUBLIC_STUDY_UNAVAILABLE')
  const { reports } = await shownOf(services, share, now)
  const file = reports.get(params.format)
  if (!file) throw new Error(`A share has no ${params.format} rendering.`)
  const isShown = params.format === 'html' || params.format === 'pdf'
  return sharedFile(file, { ending: params.format, isShown })
})

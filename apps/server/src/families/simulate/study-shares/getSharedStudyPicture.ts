import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { openShare } from './open-share.ts'
import { sharedFile } from './shared-file.ts'
import { shownOf } from './shown-shares.ts'

export default handle(contract.getSharedStudyPicture, async (request): Promise<Outcome> => {
  const { params, services, now, fail } = request
  const share = await openShare(services, params.slug, now)
  if (!share) throw fail('LIQUIDITY_PUBLIC_STUDY_UNAVAILABLE')
  const { pictures } = await shownOf(services, share, now)
  const file = pictures.get(params.name)
  if (!file) {
    const names = [...pictures.keys()].join(', ') || 'none'
    throw fail('LIQUIDITY_RESOURCE_NOT_FOUND', {
      message: `The shared study has no chart ${params.name}, only ${names}.`,
    })
  }
  return sharedFile(file, { ending: 'svg', isShown: true })
})

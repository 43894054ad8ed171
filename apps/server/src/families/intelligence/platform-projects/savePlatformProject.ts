import { contract } from '@liquidity-os/contract'
import { bookmarks } from './records.ts'

export default bookmarks.create(contract.savePlatformProject, async ({ body, actor }) => ({
  payload: {
    chainId: body.payload.chainId,
    address: body.payload.address,
    label: body.payload.label,
    note: body.payload.note ?? null,
    ownerId: actor.userId,
  },
  event: 'platform_project.saved',
  reason: body.reason ?? 'Saved as a bookmark',
}))

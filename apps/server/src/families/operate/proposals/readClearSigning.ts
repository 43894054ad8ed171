import { contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import { releaseOrNull } from '../autonomy-policies/api.ts'
import { describeAdapters } from './clear-signing/descriptors.ts'

export default handle(contract.readClearSigning, async ({ services, now }) => {
  const release = releaseOrNull(services, now)
  return {
    data: {
      releaseHash: release?.releaseHash ?? null,
      files: release ? describeAdapters(release.manifest.adapters) : [],
    },
  }
})

import { contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import type { Release } from '../../../market/adapters/release.ts'
import { releaseOrNull } from '../autonomy-policies/api.ts'
import { describeAdapters } from './clear-signing/descriptors.ts'

export default handle(contract.readClearSigning, async ({ services, now }) => {
  const release = releaseOrNull(services, now)
  return { data: release ? describedOnce(release) : { releaseHash: null, files: [] } }
})

let described: { releaseHash: string; files: contract.ClearSigningFile[] } | null = null

/** Anyone may request the files, so they are built once per release. */
function describedOnce({ releaseHash, manifest }: Release) {
  if (described?.releaseHash !== releaseHash) {
    described = { releaseHash, files: describeAdapters(manifest.adapters) }
  }
  return described
}
